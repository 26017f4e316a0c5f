package org.buftrail.cli;

import java.io.File;
import org.buftrail.profile.hash.Words;

/** Prepares the JVM for a command that reads little: most of such a run is the JVM's own work. */
final class ShortRun {
  /** Up to so many bytes, eight of them are read by shifts. */
  private static final long LITTLE = 2L << 20;

  /** Up to so many bytes, optimised code costs more than it gains. The launcher has the same. */
  private static final long SHORT = 256L << 20;

  private ShortRun() {}

  /**
   * Prepares for a command that ends soon.
   *
   * @param args the command's line, which may name what it reads
   */
  static void prepare(String[] args) {
    long size = size(args);
    if (size <= LITTLE) {
      System.setProperty(Words.SHIFTS, "true");
    }
    // The launcher has chosen the JVM's options already.
    if (size <= SHORT && System.getProperty("buftrail.launcher") == null) {
      OptimizingCompiler.leaveOut();
    }
  }

  /** How large the files are together that arguments name; very large where that is not known. */
  static long size(String[] args) {
    long size = 0;
    // The first is the command's name, which a directory may have too.
    for (int i = 1; i < args.length; i++) {
      String argument = args[i];
      File file = new File(argument);
      if (argument.equals("-")) {
        return Long.MAX_VALUE;
      }
      String[] names = file.list();
      if (names == null) {
        size += file.length();
        continue;
      }
      for (String name : names) {
        File entry = new File(file, name);
        if (entry.isDirectory()) {
          return Long.MAX_VALUE;
        }
        size += entry.length();
      }
    }
    return size;
  }
}
