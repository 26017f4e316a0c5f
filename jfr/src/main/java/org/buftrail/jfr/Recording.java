package org.buftrail.jfr;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.file.UnreadableException;
import org.buftrail.jfr.input.RecordingFiles;
import org.buftrail.jfr.input.Source;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Profiles;

/**
 * What one JVM, or several, recorded: the way into this package for programs. Whatever it is made
 * of may be plain or packed (gzip, LZ4, Zstandard, zip), which its first bytes tell.
 *
 * <p>Immutable, but that a stream or a pipe can be converted only once. Nothing that it opens stays
 * open, and nothing that it is given is closed. A method's result belongs to the thread that called
 * it.
 */
public final class Recording {
  private static final Options NOTHING = Options.DEFAULT.kinds(EnumSet.of(Kind.EVENT));

  private final List<Source> sources;

  private Recording(List<Source> sources) {
    this.sources = List.copyOf(sources);
  }

  /**
   * A recording of one file or several, in the order of their time.
   *
   * @param files files, or pipes; each name is taken as it is
   */
  public static Recording of(Path... files) {
    List<Source> sources = new ArrayList<>();
    for (Path file : files) {
      sources.add(Source.file(file));
    }
    return new Recording(sources);
  }

  /**
   * A recording in memory.
   *
   * @param name what messages call it, such as the key of an object in a store
   * @param bytes all of it; not to be changed while it is converted
   * @throws java.nio.file.InvalidPathException if the name could not be that of a file
   */
  public static Recording of(String name, byte[] bytes) {
    return of(name, ByteBuffer.wrap(bytes));
  }

  /**
   * A recording in memory, on the heap or off it, or in a mapped file.
   *
   * @param name as in {@link #of(String, byte[])}
   * @param bytes it lies between position and limit, of which neither is moved
   */
  public static Recording of(String name, ByteBuffer bytes) {
    return of(name, ByteSource.of(bytes));
  }

  /**
   * A recording that a channel reads. A {@link java.nio.channels.FileChannel} keeps its position.
   *
   * @param name as in {@link #of(String, byte[])}
   * @param channel all of it is the recording; not to be used by others while it is converted
   */
  public static Recording of(String name, SeekableByteChannel channel) {
    return of(name, ByteSource.of(channel));
  }

  private static Recording of(String name, ByteSource bytes) {
    return new Recording(List.of(Source.bytes(Path.of(name), bytes)));
  }

  /**
   * A recording that comes from a stream. It goes through a temporary file, since the names of what
   * is in a chunk stand at its end, and can be converted once.
   *
   * @param name as in {@link #of(String, byte[])}
   */
  public static Recording of(String name, InputStream in) {
    return new Recording(List.of(Source.stream(Path.of(name), in)));
  }

  /**
   * What names stand for on the command line.
   *
   * @param names files, directories with such files, globs, {@code -} for standard input, or pipes
   */
  public static Recording matching(List<Path> names) {
    List<Source> sources = new ArrayList<>();
    for (Path name : names) {
      sources.add(Source.named(name));
    }
    return new Recording(sources);
  }

  /** This recording and a later one, to be converted into one set of profiles. */
  public Recording and(Recording later) {
    List<Source> both = new ArrayList<>(sources);
    both.addAll(later.sources);
    return new Recording(both);
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

  /** What it is made of. */
  List<Source> sources() {
    return sources;
  }

  /**
   * The files, of directories those with recordings; the names of what is no file.
   *
   * @throws RecordingException if a directory holds no recordings or cannot be read, or nothing
   *     matches a glob
   */
  public List<Path> files() throws RecordingException {
    List<Path> files = new ArrayList<>();
    try {
      for (Source named : sources) {
        for (Source each : named.expand()) {
          files.add(each.name());
        }
      }
      return files;
    } catch (UnreadableException e) {
      throw new RecordingException(e);
    }
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
    return new Converter(options).convert(this);
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
