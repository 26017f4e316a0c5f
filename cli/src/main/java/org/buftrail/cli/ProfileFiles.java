package org.buftrail.cli;

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
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.html.ProfileHtml;
import org.buftrail.profile.otlp.OtlpJsonWriter;
import org.buftrail.profile.otlp.OtlpSplitter;
import org.buftrail.profile.otlp.OtlpWriter;
import org.buftrail.profile.pprof.PprofWriter;
import org.buftrail.profile.text.CollapsedWriter;

/** Which files profiles become: one for all kinds, or, in formats that hold one kind, one each. */
final class ProfileFiles {
  private final Profiles profiles;
  private final Style style;

  /**
   * Details of a format.
   *
   * @param pretty JSON with line breaks
   * @param lines line numbers in collapsed stacks
   * @param total collapsed stacks by time or bytes instead of counts
   * @param split bytes of protobuf that a part of OTLP may have
   */
  record Style(boolean pretty, boolean lines, boolean total, long split) {
    static final Style PLAIN = new Style(false, false, false, Long.MAX_VALUE);
  }

  ProfileFiles(Profiles profiles, Style style) {
    this.profiles = profiles;
    this.style = style;
  }

  /** Writes them all, and answers their names. */
  List<String> write(String target, ProfileFormat format, Terminal terminal) throws CommandFailure {
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
    return switch (format) {
      case OTLP, JSON ->
          style.split == Long.MAX_VALUE ? whole(target, format) : parts(target, format);
      case HTML -> Map.of(target, this::html);
      case PPROF, COLLAPSED -> byKind(target, format);
    };
  }

  private Map<String, Output.Content> whole(String target, ProfileFormat format) {
    return Map.of(target, new Otlp(profiles, format));
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
      files.put(part(target, format, files.size() + 1), new Otlp(part, format));
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
        new OtlpSplitter(limit).split(profiles, parts::add);
        long largest = 0;
        for (Profiles part : format == ProfileFormat.JSON ? parts : List.<Profiles>of()) {
          Counting counting = new Counting();
          new Otlp(part, format).writeTo(counting);
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

  private final class Otlp implements Output.Content {
    private final Profiles part;
    private final ProfileFormat format;

    Otlp(Profiles part, ProfileFormat format) {
      this.part = part;
      this.format = format;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      if (format == ProfileFormat.JSON) {
        new OtlpJsonWriter(style.pretty).write(part, out);
      } else {
        new OtlpWriter().write(part, out);
      }
    }
  }

  private Map<String, Output.Content> byKind(String target, ProfileFormat format)
      throws CommandFailure {
    List<List<Profile>> groups = PprofWriter.files(profiles);
    if (groups.isEmpty()) {
      throw new CommandFailure("nothing to write: there are no events of the wanted kinds");
    }
    if (groups.size() > 1 && Output.isStream(target)) {
      boolean alike = groups.stream().map(group -> group.get(0).name()).distinct().count() == 1;
      throw new CommandFailure(
          name(target)
              + " takes one kind of "
              + format
              + ", there are "
              + names(groups)
              + (alike ? ", which differ in their period" : "; choose one with --profile,")
              + (alike ? "; name a file" : " or name a file"));
    }
    Map<String, Output.Content> files = new LinkedHashMap<>();
    for (List<Profile> group : groups) {
      String name = groups.size() == 1 ? target : named(target, format, group, files);
      files.put(
          name,
          format == ProfileFormat.PPROF ? out -> pprof(group, out) : out -> collapsed(group, out));
    }
    return files;
  }

  /** {@code out.cpu.pb.gz} for {@code out.pb.gz}. */
  private static String named(
      String target, ProfileFormat format, List<Profile> group, Map<String, ?> taken) {
    String[] parts = format.split(target);
    String kind = group.get(0).name().replaceAll("[^A-Za-z0-9_-]", "_");
    String name = parts[0] + '.' + kind + parts[1];
    for (int i = 2; taken.containsKey(name); i++) {
      name = parts[0] + '.' + kind + '-' + i + parts[1];
    }
    return name;
  }

  private static String names(List<List<Profile>> groups) {
    return String.join(", ", groups.stream().map(group -> group.get(0).name()).toList());
  }

  private void pprof(List<Profile> group, OutputStream out) throws IOException {
    PprofWriter.write(group, profiles.dictionary(), out);
  }

  /** Counts, or what else the kind measures: the profiles of a kind differ in that alone. */
  private void collapsed(List<Profile> group, OutputStream out) throws IOException {
    Profile chosen = group.get(0);
    for (Profile profile : group) {
      boolean counts = profile.sampleType().unit().equals("count");
      chosen = counts != style.total ? profile : chosen;
    }
    Writer text = text(out);
    new CollapsedWriter(profiles.dictionary(), style.lines).write(chosen, text);
    text.flush();
  }

  private void html(OutputStream out) throws IOException {
    Writer text = text(out);
    ProfileHtml.write(profiles, text);
    text.flush();
  }

  private static Writer text(OutputStream out) {
    return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
  }
}
