package org.buftrail.jfr.input;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.buftrail.jfr.file.UnreadableException;

/** The recordings that a name stands for: a file, all below a directory, or what a glob matches. */
public final class RecordingFiles {
  static final Path STANDARD_INPUT = Path.of("-");
  private static final List<String> ENDINGS =
      List.of(".jfr", ".jfr.gz", ".jfr.lz4", ".jfr.zst", ".jfr.zip");

  private RecordingFiles() {}

  /**
   * The recordings that a path stands for: itself, all below it if it is a directory, or what
   * matches it if no file of that name exists and it is a glob; by name. What cannot be looked into
   * is among them, to be told when it is opened.
   */
  static List<Path> expand(Path path) throws IOException {
    if (path.equals(STANDARD_INPUT)) {
      return List.of(path);
    }
    if (Files.isDirectory(path)) {
      List<Path> recordings = below(path);
      if (recordings.isEmpty()) {
        throw new UnreadableException(path, "no recordings in this directory");
      }
      return recordings;
    }
    return isGlob(path) && Files.notExists(path) ? matching(path) : List.of(path);
  }

  private static List<Path> below(Path directory) throws IOException {
    // Links are not followed on the way down, where they might lead back.
    boolean isLink = Files.isSymbolicLink(directory);
    Path start = isLink ? directory.toRealPath() : directory;
    Below below = new Below(start);
    Files.walkFileTree(start, below);
    if (isLink) {
      below.recordings.replaceAll(file -> directory.resolve(start.relativize(file)));
    }
    below.recordings.sort(null);
    return below.recordings;
  }

  /** Collects the recordings below a directory, and what cannot be looked into. */
  private static class Below extends SimpleFileVisitor<Path> {
    final Path start;
    final List<Path> recordings = new ArrayList<>();

    Below(Path start) {
      this.start = start;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (isRecording(file)) {
        recordings.add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public final FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (file.equals(start)) {
        throw e;
      }
      if (!(e instanceof FileSystemLoopException)) {
        recordings.add(file);
      }
      return FileVisitResult.CONTINUE;
    }
  }

  private static boolean isRecording(Path path) {
    // The root has no name.
    Path last = path.getFileName();
    return last != null && hasEnding(last.toString()) && Files.isRegularFile(path);
  }

  /** Whether a name is one that a recording in a directory has. */
  static boolean hasEnding(String file) {
    return !withoutEnding(file).equals(file);
  }

  /** A file's name without the ending that it has as a recording, if it has one. */
  public static String withoutEnding(String file) {
    for (String ending : ENDINGS) {
      int start = file.length() - ending.length();
      // Some systems write names in capitals.
      if (file.regionMatches(true, start, ending, 0, ending.length())) {
        return file.substring(0, start);
      }
    }
    return file;
  }

  private static boolean isGlob(Path path) {
    String text = path.toString();
    for (int i = 0; i < text.length(); i++) {
      if ("*?[{".indexOf(text.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** What matches a glob, below the directory before its first wildcard. */
  private static List<Path> matching(Path glob) throws IOException {
    int fixed = 0;
    while (!isGlob(glob.getName(fixed))) {
      fixed++;
    }
    Path root = glob.getRoot();
    Path start = root == null ? Path.of("") : root;
    if (fixed > 0) {
      start = start.resolve(glob.subpath(0, fixed));
    }
    Path pattern = glob.subpath(fixed, glob.getNameCount());
    PathMatcher matcher;
    try {
      matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    } catch (PatternSyntaxException e) {
      throw new UnreadableException(glob, "no such file, nor a valid glob: " + e.getDescription());
    }
    Matching found = new Matching(start, matcher);
    // Only ** goes down to any depth, and there links might lead back.
    boolean isDeep = pattern.toString().contains("**");
    if (Files.isDirectory(start)) {
      Files.walkFileTree(
          start,
          isDeep ? EnumSet.noneOf(FileVisitOption.class) : EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          isDeep ? Integer.MAX_VALUE : pattern.getNameCount(),
          found);
    }
    if (found.recordings.isEmpty()) {
      throw new UnreadableException(glob, "no file matches");
    }
    found.recordings.sort(null);
    return found.recordings;
  }

  /** Collects what matches a glob; a directory that does stands for the recordings below it. */
  private static final class Matching extends Below {
    private final PathMatcher matcher;

    Matching(Path start, PathMatcher matcher) {
      super(start);
      this.matcher = matcher;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return add(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      add(file);
      return FileVisitResult.CONTINUE;
    }

    private void addBelow(Path matching) {
      try {
        recordings.addAll(below(matching));
      } catch (IOException e) {
        // Is told when it is opened.
        recordings.add(matching);
      }
    }

    private boolean add(Path file) {
      boolean matches = !file.equals(start) && matcher.matches(start.relativize(file));
      if (matches && Files.isDirectory(file)) {
        addBelow(file);
      } else if (matches) {
        recordings.add(file);
      }
      return matches;
    }
  }
}
