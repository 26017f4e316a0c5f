package org.buftrail.profile.input;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.buftrail.profile.pprof.PprofReader;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.buftrail.profile.text.CollapsedReader;

/** The forms of profiles that this module reads, plain or packed with gzip. */
public enum ProfileForm implements ProfileSource {
  /** OpenTelemetry profiles as JSON. */
  OTLP_JSON("OpenTelemetry profiles in JSON") {
    @Override
    public boolean accepts(InputStart start) {
      return start.isJson();
    }

    @Override
    List<Profiles> read(InputStream in) throws IOException {
      return OtlpReader.read(in);
    }
  },
  /** OpenTelemetry profiles as protobuf. */
  OTLP("OpenTelemetry profiles") {
    @Override
    public boolean accepts(InputStart start) {
      return ProtobufShape.of(start.bytes()) == ProtobufShape.OTLP;
    }

    @Override
    List<Profiles> read(InputStream in) throws IOException {
      return OtlpReader.read(in);
    }
  },
  /** pprof. */
  PPROF("a pprof profile") {
    @Override
    public boolean accepts(InputStart start) {
      return ProtobufShape.of(start.bytes()) == ProtobufShape.PPROF;
    }

    @Override
    List<Profiles> read(InputStream in) throws IOException {
      return List.of(PprofReader.read(in));
    }
  },
  /** Collapsed stacks. */
  COLLAPSED("collapsed stacks") {
    @Override
    public boolean accepts(InputStart start) {
      return isCollapsed(start);
    }

    @Override
    List<Profiles> read(InputStream in) throws IOException {
      return List.of(CollapsedReader.read(in));
    }
  };

  private final String what;

  ProfileForm(String what) {
    this.what = what;
  }

  @Override
  public String what() {
    return what;
  }

  abstract List<Profiles> read(InputStream in) throws IOException;

  @Override
  public ReadProfiles read(Path file) throws IOException {
    try (InputStream in = open(file)) {
      return ReadProfiles.of(named(file.toString(), in), List.of());
    }
  }

  /**
   * Reads a stream to its end.
   *
   * @param name what messages call it
   * @param in plain or packed with gzip; not closed
   * @return one for each resource and scope, all over one dictionary
   * @throws IOException if it cannot be read or is of another form
   */
  public List<Profiles> read(String name, InputStream in) throws IOException {
    return named(name, unpacked(name, new BufferedInputStream(in, 1 << 16)));
  }

  private List<Profiles> named(String name, InputStream plain) throws IOException {
    try {
      return read(plain);
    } catch (MalformedMessageException e) {
      throw new IOException(name + ": " + e.getMessage(), e);
    }
  }

  /** A file's bytes, unpacked if it is packed with gzip. */
  public static InputStream open(Path file) throws IOException {
    InputStream plain = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try {
      return unpacked(file.toString(), plain);
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  private static InputStream unpacked(String name, InputStream in) throws IOException {
    try {
      return InputStart.open(in);
    } catch (IOException e) {
      throw new IOException(name + ": cannot be unpacked: " + e.getMessage(), e);
    }
  }

  /** Whether it is text whose first line ends in a number; of a very long line, one with stacks. */
  private static boolean isCollapsed(InputStart start) {
    byte[] bytes = start.bytes();
    int end = -1;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] >= 0 && bytes[i] < ' ' && "\t\r\n".indexOf(bytes[i]) < 0) {
        return false;
      }
      if (bytes[i] == '\n' && end < 0) {
        end = i;
      }
    }
    boolean isCut = end < 0 && !start.isWhole();
    String line =
        new String(bytes, 0, end < 0 ? bytes.length : end, StandardCharsets.ISO_8859_1).strip();
    return isCut ? line.contains(";") : line.matches(".*\\S [0-9]+");
  }
}
