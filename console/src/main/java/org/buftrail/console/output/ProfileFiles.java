package org.buftrail.console.output;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.console.input.ReadFlows;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.html.PageLook;
import org.buftrail.profile.html.SourceLinks;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.otlp.write.OtlpSplitter;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.profile.output.ProfileWriter;
import org.buftrail.profile.output.ProfileWriters;
import org.buftrail.report.FlowHtml;
import org.buftrail.report.FlowReports;

/** Which files profiles become: one for all kinds, or, in formats that hold one kind, one each. */
public final class ProfileFiles {
  private final ReadProfiles read;
  private final Style style;

  /**
   * Details of a format.
   *
   * @param pretty JSON with line breaks
   * @param lines line numbers in collapsed stacks and speedscope files
   * @param total collapsed stacks by time or bytes instead of counts
   * @param threads speedscope files with a profile for each thread
   * @param split bytes of protobuf that a part of OTLP may have
   * @param look how pages look
   */
  public record Style(
      boolean pretty, boolean lines, boolean total, boolean threads, long split, PageLook look) {
    public static final Style PLAIN =
        new Style(false, false, false, false, Long.MAX_VALUE, PageLook.PLAIN);

    /** Returns a copy with links to sources on pages. */
    public Style withSource(SourceLinks links) {
      return new Style(pretty, lines, total, threads, split, look.source(links));
    }

    /** Whether flows in it are as they are without, but for links to sources. */
    private boolean isPlain() {
      return new Style(pretty, lines, total, threads, split, PageLook.PLAIN).equals(PLAIN)
          && look.isPlain();
    }

    private ProfileWriter writer(ProfileFormat format) {
      ProfileWriters.Style style =
          new ProfileWriters.Style(pretty, lines, total)
              .page(look.title(), look.search(), look.leastShare())
              .source(look.source().template());
      return ProfileWriters.of(format, threads ? style.byThread() : style);
    }
  }

  public ProfileFiles(ReadProfiles read, Style style) {
    this.read = read;
    this.style = style;
  }

  /** Writes them all, and answers their names. */
  public List<String> write(String target, ProfileFormat format, Terminal terminal)
      throws CommandFailure {
    Map<String, Output.Content> files = files(target, format);
    Output.write(files, terminal);
    if (style.split != Long.MAX_VALUE) {
      noteOlderParts(target, format, files.size() == 1 ? 1 : files.size() + 1, terminal);
    }
    return List.copyOf(files.keySet());
  }

  /** Parts of an earlier conversion would be taken for parts of this one. */
  private static void noteOlderParts(
      String target, ProfileFormat format, int number, Terminal terminal) {
    String older = part(target, format, number);
    if (!Output.isStream(target) && Files.exists(Path.of(older))) {
      terminal.note(older + " is of an earlier conversion, as what follows it; it is left");
    }
  }

  private static String name(String target) {
    return target.equals(Output.STANDARD) ? "standard output" : target;
  }

  private static String part(String target, ProfileFormat format, int number) {
    String[] name = format.split(target);
    return name[0] + '-' + number + name[1];
  }

  private Map<String, Output.Content> files(String target, ProfileFormat format)
      throws CommandFailure {
    if (read instanceof ReadFlows flows && FlowReports.isOwn(format) && style.isPlain()) {
      if (format == ProfileFormat.HTML) {
        return Map.of(target, out -> page(flows.snapshot(), out));
      }
      return Map.of(target, out -> FlowReports.write(flows.snapshot(), format, out));
    }
    if (format.isForFlowsOnly()) {
      throw new WrongUsage(format + " is a format of flows, which are not in it");
    }
    return switch (format) {
      case OTLP, JSON, OTLP_JSON ->
          style.split == Long.MAX_VALUE ? whole(target, format) : parts(target, format);
      case PPROF, COLLAPSED -> byKind(target, format);
      default -> whole(target, format);
    };
  }

  private void page(Snapshot snapshot, OutputStream out) throws IOException {
    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
    FlowHtml.write(snapshot, style.look.source(), text);
    text.flush();
  }

  private Map<String, Output.Content> whole(String target, ProfileFormat format) {
    return Map.of(target, content(format, read.profiles()));
  }

  private Output.Content content(ProfileFormat format, List<Profiles> file) {
    return new Written(style.writer(format), file);
  }

  /** Not a lambda: the first takes a twentieth of a short conversion. */
  private static final class Written implements Output.Content {
    private final ProfileWriter writer;
    private final List<Profiles> file;

    Written(ProfileWriter writer, List<Profiles> file) {
      this.writer = writer;
      this.file = file;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      writer.write(file, out);
    }
  }

  /** {@code out-1.otlp} and so on for {@code out.otlp}. */
  private Map<String, Output.Content> parts(String target, ProfileFormat format)
      throws CommandFailure {
    List<Profiles> parts = split(format);
    if (parts.size() == 1) {
      return whole(target, format);
    }
    if (Output.isStream(target)) {
      throw new CommandFailure(
          name(target) + " takes one part, there are " + parts.size() + "; name a file");
    }
    Map<String, Output.Content> files = new LinkedHashMap<>();
    for (Profiles part : parts) {
      files.put(part(target, format, files.size() + 1), content(format, List.of(part)));
    }
    return files;
  }

  /**
   * Parts of at most the size in their format: JSON takes two or three times what protobuf does.
   */
  private List<Profiles> split(ProfileFormat format) throws CommandFailure {
    try {
      for (long limit = style.split; ; ) {
        List<Profiles> parts = new ArrayList<>();
        for (Profiles profiles : read.profiles()) {
          new OtlpSplitter(limit).split(profiles, parts::add);
        }
        long largest = 0;
        for (Profiles part : format == ProfileFormat.OTLP ? List.<Profiles>of() : parts) {
          Counting counting = new Counting();
          content(format, List.of(part)).writeTo(counting);
          largest = Math.max(largest, counting.bytes);
        }
        if (largest <= style.split) {
          return parts;
        }
        limit = (long) (0.9 * limit * style.split / largest);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure("cannot be split: " + e.getMessage(), e);
    }
  }

  private static final class Counting extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      bytes += length;
    }
  }

  private Map<String, Output.Content> byKind(String target, ProfileFormat format)
      throws CommandFailure {
    ProfileWriter writer = style.writer(format);
    List<List<Profiles>> groups = writer.files(read.profiles());
    if (groups.isEmpty()) {
      throw new CommandFailure("nothing to convert: no event becomes a profile");
    }
    if (groups.size() > 1 && Output.isStream(target)) {
      boolean alike = groups.stream().map(ProfileFiles::kind).distinct().count() == 1;
      throw new CommandFailure(
          name(target)
              + " takes one kind of "
              + format
              + ", there are "
              + String.join(", ", groups.stream().map(ProfileFiles::kind).toList())
              + (alike ? ", which differ in their period" : "; choose one with --profile,")
              + (alike ? "; name a file" : " or name a file"));
    }
    Map<String, Output.Content> files = new LinkedHashMap<>();
    for (List<Profiles> group : groups) {
      String name = groups.size() == 1 ? target : named(target, format, kind(group), files);
      files.put(name, new Written(writer, group));
    }
    return files;
  }

  private static String kind(List<Profiles> group) {
    return kind(group.get(0).profiles().get(0));
  }

  /** What a profile is called; by its type, where it has no other name, as in pprof. */
  public static String kind(Profile profile) {
    return profile.name().isEmpty() ? profile.sampleType().type() : profile.name();
  }

  /** {@code out.cpu.pb.gz} for {@code out.pb.gz}. */
  private static String named(
      String target, ProfileFormat format, String kind, Map<String, ?> taken) {
    String[] parts = format.split(target);
    String plain = kind.replaceAll("[^A-Za-z0-9_-]", "_");
    String name = parts[0] + '.' + plain + parts[1];
    for (int i = 2; taken.containsKey(name); i++) {
      name = parts[0] + '.' + plain + '-' + i + parts[1];
    }
    return name;
  }
}
