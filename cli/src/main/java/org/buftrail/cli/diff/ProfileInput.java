package org.buftrail.cli.diff;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.buftrail.agent.report.FlowProfiles;
import org.buftrail.agent.report.SnapshotJsonReader;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.OtlpReader;
import org.buftrail.profile.pprof.PprofReader;
import org.buftrail.profile.protobuf.MalformedMessageException;

/** Reads whatever holds profiles: flow snapshots, recordings, OTLP, pprof. */
public final class ProfileInput {
  private static final int SNIFFED = 256;
  private static final String RECORDING = "FLR\0";
  private static final String GZIP = "\37\213";
  private static final List<String> PACKED = List.of("PK\3\4", "\4\"M\30", "(\265/\375");

  private ProfileInput() {}

  /** What was read, and what could not be, each in one line. */
  public record Read(List<Profiles> profiles, List<String> damages) {}

  /**
   * Reads a file, or a directory of recordings.
   *
   * @throws IOException when it cannot be read or is none of them; the text names the file
   */
  public static Read read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return recording(file);
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // It is looked at before it is read, which a pipe can be once.
      throw new IOException(file + ": is no file; write it to one first");
    }
    String start = start(file, false);
    boolean packed = start.startsWith(GZIP);
    if (packed) {
      start = start(file, true);
    }
    if (start.startsWith(RECORDING) || PACKED.stream().anyMatch(start::startsWith)) {
      return recording(file);
    }
    try (InputStream plain = new BufferedInputStream(Files.newInputStream(file))) {
      InputStream in = packed ? new GZIPInputStream(plain) : plain;
      return new Read(profiles(file, start, packed, in), List.of());
    } catch (MalformedMessageException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static List<Profiles> profiles(Path file, String start, boolean packed, InputStream in)
      throws IOException {
    if (start.isEmpty()) {
      throw new MalformedMessageException("is empty");
    }
    boolean json = start.stripLeading().startsWith("{");
    if (json && start.contains("\"buftrail.flows\"")) {
      return List.of(FlowProfiles.of(SnapshotJsonReader.read(file)));
    }
    String name = file.toString().toLowerCase(Locale.ROOT);
    boolean pprof = packed || name.endsWith(".pb") || name.endsWith(".pprof");
    if (!json && pprof && !name.contains(".otlp")) {
      return List.of(FlowStates.split(PprofReader.read(in)));
    }
    return OtlpReader.read(in);
  }

  private static Read recording(Path file) throws IOException {
    Conversion conversion = new Converter(Options.DEFAULT.normalized(true)).convert(List.of(file));
    List<String> damages = conversion.damages().stream().map(Object::toString).toList();
    return new Read(List.of(conversion.profiles()), damages);
  }

  /** The first bytes, each a character. */
  private static String start(Path file, boolean unpack) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        InputStream read = unpack ? new GZIPInputStream(in) : in) {
      return new String(read.readNBytes(SNIFFED), StandardCharsets.ISO_8859_1);
    }
  }
}
