package org.buftrail.jfr.input;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.file.UnreadableException;

/** Where a recording comes from. */
public abstract class Source {
  private final Path name;

  Source(Path name) {
    this.name = name;
  }

  /** What messages call it. */
  public final Path name() {
    return name;
  }

  /** The inputs that it stands for, each to be opened. */
  public List<Source> expand() throws UnreadableException {
    return List.of(this);
  }

  /**
   * Opens it.
   *
   * @param report receives faults of the packing
   * @param mostUnpacked how many bytes may be unpacked for a recording
   */
  public abstract Input open(Consumer<String> report, long mostUnpacked) throws IOException;

  /** The file of that name. */
  public static Source file(Path path) {
    return new OfFile(path);
  }

  /** The inputs that a name on a command line stands for. */
  public static Source named(Path path) {
    return new Named(path);
  }

  /** Bytes that can be read again. */
  public static Source bytes(Path name, ByteSource bytes) {
    return new Source(name) {
      @Override
      public Input open(Consumer<String> report, long mostUnpacked) throws IOException {
        return Input.of(name, bytes, report, mostUnpacked);
      }
    };
  }

  /** What comes from a stream, which can be read once and stays open. */
  public static Source stream(Path name, InputStream in) {
    return new OfStream(name, in);
  }

  private static final class OfFile extends Source {
    OfFile(Path path) {
      super(path);
    }

    @Override
    public Input open(Consumer<String> report, long mostUnpacked) throws IOException {
      return Input.open(name(), report, mostUnpacked);
    }
  }

  private static final class OfStream extends Source {
    private final InputStream in;
    private boolean isRead;

    OfStream(Path name, InputStream in) {
      super(name);
      this.in = in;
    }

    @Override
    public Input open(Consumer<String> report, long mostUnpacked) throws IOException {
      if (isRead) {
        throw new UnreadableException(name(), "the stream has been read before");
      }
      isRead = true;
      return Input.of(name(), new Borrowed(in), report, mostUnpacked);
    }
  }

  /** A stream that its owner closes. */
  private static final class Borrowed extends FilterInputStream {
    Borrowed(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return in.read(target, offset, length);
    }

    @Override
    public void close() {}
  }

  private static final class Named extends Source {
    Named(Path path) {
      super(path);
    }

    @Override
    public List<Source> expand() throws UnreadableException {
      List<Source> files = new ArrayList<>();
      try {
        for (Path file : RecordingFiles.expand(name())) {
          files.add(
              file.equals(RecordingFiles.STANDARD_INPUT) ? stream(file, System.in) : file(file));
        }
        return files;
      } catch (UnreadableException e) {
        throw e;
      } catch (IOException e) {
        // It may be a directory below the one that was named.
        String file = e instanceof FileSystemException failure ? failure.getFile() : null;
        Path unread = file == null ? name() : Path.of(file);
        throw new UnreadableException(unread, "cannot be read: " + Input.cause(e));
      }
    }

    @Override
    public Input open(Consumer<String> report, long mostUnpacked) {
      throw new IllegalStateException(name() + " is yet to be expanded");
    }
  }
}
