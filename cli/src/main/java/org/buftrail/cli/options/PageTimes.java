package org.buftrail.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.buftrail.profile.output.ProfileFormat;
import org.jspecify.annotations.Nullable;

/** Whether a page gets the times of samples, which take memory for each event of a recording. */
final class PageTimes {
  /** Some 40 bytes of memory an event, of which a recording has some 30: about as much as this. */
  private static final long MOST_BYTES = 64 << 20;

  private static final int PACKED = 8;

  private PageTimes() {}

  /** A heatmap without times would be none, so there they are kept whatever the size. */
  static boolean areKept(Destination destination) throws IOException {
    ProfileFormat format = format(destination);
    return format == ProfileFormat.HEATMAP
        || (format == ProfileFormat.HTML && size(destination.inputs()) <= MOST_BYTES);
  }

  static boolean isPage(Destination destination) {
    ProfileFormat format = format(destination);
    return format == ProfileFormat.HTML || format == ProfileFormat.HEATMAP;
  }

  private static @Nullable ProfileFormat format(Destination destination) {
    String output = destination.output();
    ProfileFormat format = destination.format();
    return format == null && output != null ? ProfileFormat.ofFile(output).orElse(null) : format;
  }

  /** Packed files count for what may be in them; what is no file, such as a glob, for too much. */
  private static long size(Iterable<Path> inputs) throws IOException {
    long size = 0;
    for (Path input : inputs) {
      int packed = input.toString().endsWith(".jfr") ? 1 : PACKED;
      size += Files.isRegularFile(input) ? Files.size(input) * packed : MOST_BYTES + 1;
    }
    return size;
  }
}
