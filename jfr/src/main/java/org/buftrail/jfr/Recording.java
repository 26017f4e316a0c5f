package org.buftrail.jfr;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Profiles;

/**
 * Files that one JVM, or several, recorded: the way into this package for programs. Immutable, and
 * nothing stays open; what a method answers belongs to the thread that called it.
 */
public final class Recording {
  private static final Options NOTHING = Options.DEFAULT.kinds(EnumSet.of(Kind.EVENT));

  private final List<Path> files;

  private Recording(List<Path> files) {
    this.files = List.copyOf(files);
  }

  /**
   * A recording of one file or several, in the order of their time.
   *
   * @param paths files, plain or packed (gzip, LZ4, Zstandard, zip), directories with such files,
   *     globs, {@code -} for standard input, or pipes, of which the last two can be converted only
   *     once
   * @throws RecordingException if a directory holds no recordings or cannot be read, or nothing
   *     matches a glob
   */
  public static Recording of(Path... paths) throws RecordingException {
    List<Path> files = new ArrayList<>();
    for (Path path : paths) {
      files.addAll(files(path));
    }
    return new Recording(files);
  }

  static List<Path> files(Path path) throws RecordingException {
    try {
      return RecordingFiles.expand(path);
    } catch (RecordingException e) {
      throw e;
    } catch (IOException e) {
      // Of a directory below the one that was named, perhaps.
      String file = e instanceof FileSystemException failure ? failure.getFile() : null;
      Path unread = file == null ? path : Path.of(file);
      throw new RecordingException(unread, "cannot be read: " + Input.cause(e));
    }
  }

  /**
   * The name of a recording's file without {@code .jfr}, {@code .jfr.gz} and the other endings that
   * make a file in a directory a recording; as it is if it has none of them.
   *
   * @param file a name, or a path
   */
  public static String withoutEnding(String file) {
    return RecordingFiles.withoutEnding(file);
  }

  /** The files, of directories those with recordings. */
  public List<Path> files() {
    return files;
  }

  /**
   * Every kind of profile that the recording has.
   *
   * @throws RecordingException if it is no recording or cannot be read; what is damaged is left
   *     out, and the profiles' resource says so
   */
  public Profiles profiles() throws RecordingException {
    return convert(Options.DEFAULT).profiles();
  }

  /**
   * Profiles as options say, with what was found and what could not be read. To convert many
   * recordings, one {@link Converter} takes less memory.
   *
   * @throws RecordingException if it is no recording or cannot be read
   */
  public Conversion convert(Options options) throws RecordingException {
    return new Converter(options).convert(files);
  }

  /**
   * What the recording holds, without converting it: its statistics, and its resource. The profiles
   * are empty.
   *
   * @throws RecordingException if it is no recording or cannot be read
   */
  public Conversion inspect() throws RecordingException {
    return convert(NOTHING);
  }
}
