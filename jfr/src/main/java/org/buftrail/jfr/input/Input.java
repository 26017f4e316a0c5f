package org.buftrail.jfr.input;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.ZipException;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.file.UnreadableException;
import org.buftrail.jfr.packing.GzipMembersInputStream;
import org.buftrail.jfr.packing.Lz4FrameInputStream;
import org.buftrail.jfr.packing.ZstdFrameInputStream;
import org.buftrail.profile.stream.CountedInput;
import org.jspecify.annotations.Nullable;

/**
 * One named input as plain recordings, one after the other. What is packed, or comes from standard
 * input or a pipe, goes through a temporary file, since a chunk's constants come last. The first
 * bytes say how it is packed, not the name.
 */
public final class Input implements Closeable {
  private static final int LONGEST_MAGIC = 4;
  private static final int GZIP = 0x8b1f;
  private static final int ZIP = 0x04034b50;
  private static final int LEGACY_LZ4 = 0x184C2102;
  private static final int BUFFER = 1 << 16;

  /** A chunk begins within so many bytes, or what is unpacked is no recording. */
  private static final int MOST_BEFORE_CHUNK = 1 << 20;

  /** So many bytes may be unpacked from however few. */
  private static final long UNSUSPICIOUS = 256 << 20;

  /** Recordings are not packed so well, unless somebody made them to be. */
  private static final long MOST_FOR_ONE = 200;

  private final Path name;
  private final Consumer<String> report;
  private final long mostUnpacked;
  private @Nullable CountedInput packed;
  private @Nullable ByteSource opened;
  private @Nullable InputStream stream;
  private @Nullable Archive archive;
  private @Nullable String entry;
  private boolean isTaken;

  /** Whether what follows in the archive cannot be found. */
  private boolean isCut;

  private Input(Path name, Consumer<String> report, long mostUnpacked) {
    this.name = name;
    this.report = report;
    this.mostUnpacked = mostUnpacked;
  }

  /**
   * Opens a file.
   *
   * @param report receives faults of the packing
   * @param mostUnpacked how many bytes may be unpacked for a recording
   */
  static Input open(Path path, Consumer<String> report, long mostUnpacked) throws IOException {
    Input input = new Input(path, report, mostUnpacked);
    try {
      input.open();
    } catch (NoSuchFileException e) {
      throw new UnreadableException(path, "no such file");
    } catch (IOException e) {
      input.close();
      throw e;
    }
    return input;
  }

  /** What comes from a stream, as {@link #open} takes it. */
  static Input of(Path name, InputStream raw, Consumer<String> report, long mostUnpacked)
      throws IOException {
    Input input = new Input(name, report, mostUnpacked);
    input.begin(raw);
    return input;
  }

  /** Bytes that can be read anywhere, as {@link #open} takes them. */
  static Input of(Path name, ByteSource bytes, Consumer<String> report, long mostUnpacked)
      throws IOException {
    Input input = new Input(name, report, mostUnpacked);
    if (packing(bytes.stream().readNBytes(LONGEST_MAGIC)) == 0) {
      input.opened = bytes;
    } else {
      input.begin(bytes.stream());
    }
    return input;
  }

  /** Why a file cannot be read. */
  public static String cause(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    } else if (e instanceof ClosedByInterruptException) {
      return "interrupted";
    } else if (e instanceof EOFException || "unexpected EOF".equals(e.getMessage())) {
      // The second is of an archive.
      return "it ends early";
    }
    String reason = e instanceof FileSystemException failure ? failure.getReason() : null;
    String said = reason != null ? reason : e.getMessage();
    return said != null ? said : e.getClass().getSimpleName();
  }

  private void open() throws IOException {
    FileChannel file = FileChannel.open(name, StandardOpenOption.READ);
    opened = ByteSource.ofFile(file);
    ByteBuffer start = ByteBuffer.allocate(LONGEST_MAGIC);
    for (int count = 0; count >= 0 && start.hasRemaining(); ) {
      count = file.read(start);
    }
    byte[] magic = Arrays.copyOf(start.array(), start.position());
    int packing = packing(magic);
    if (!isStream(file, magic.length) && (packing == 0 || (packing == ZIP && list()))) {
      return;
    }
    // A pipe has no position, which the channel's stream asks for to say what is available.
    InputStream rest = new Unannounced(Channels.newInputStream(file));
    begin(new SequenceInputStream(new ByteArrayInputStream(magic), rest));
  }

  private boolean list() throws IOException {
    try {
      archive = Archive.listed(name, RecordingFiles::hasEnding);
      return true;
    } catch (ZipException | IllegalArgumentException | NegativeArraySizeException e) {
      // The last two are of sizes in the directory that cannot be right.
      report.accept("the archive has no directory at its end: there may be recordings missing");
      return false;
    }
  }

  /** Whether a file is a pipe, which cannot be read anywhere, or says that it has no bytes. */
  private static boolean isStream(FileChannel file, int read) throws IOException {
    try {
      return file.position() == read && file.size() < read;
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      return true;
    }
  }

  /** A stream that never says that anything is available. */
  private static final class Unannounced extends FilterInputStream {
    Unannounced(InputStream stream) {
      super(stream);
    }

    @Override
    public int available() {
      return 0;
    }
  }

  /** Whether there is another recording; there is at least one. */
  public boolean hasNext() throws IOException {
    Archive known = archive;
    if (known == null || isCut) {
      return !isTaken;
    }
    entry = nextEntry(known);
    if (entry == null && !isTaken) {
      throw new UnreadableException(name, "no recordings (*.jfr) in this archive");
    }
    return entry != null;
  }

  private @Nullable String nextEntry(Archive known) throws IOException {
    try {
      return known.next();
    } catch (IOException e) {
      if (!isTaken) {
        throw e;
      }
      report.accept("what follows in this archive cannot be read: " + cause(e));
      return null;
    }
  }

  /** Opens the next recording, to be closed by the caller. */
  public ByteSource next() throws IOException {
    isTaken = true;
    if (archive == null && stream == null) {
      ByteSource file = Objects.requireNonNull(opened);
      opened = null;
      return file;
    }
    InputStream unpacked;
    try {
      unpacked = unpack(Objects.requireNonNull(archive == null ? stream : archive.open()));
    } catch (UnreadableException e) {
      throw e;
    } catch (IOException e) {
      throw unreadable(e);
    }
    return ByteSource.ofFile(save(unpacked));
  }

  private UnreadableException unreadable(IOException e) {
    isCut = archive != null && archive.isBroken();
    Throwable lack = e.getCause() instanceof OutOfMemoryError error ? error : null;
    return new UnreadableException(name, entry() + "cannot be read: " + cause(e), lack);
  }

  /** The beginning of messages about the current recording. */
  private String entry() {
    return entry == null ? "" : entry + " ";
  }

  /** The magic number of a packed file, or 0. */
  private static int packing(byte[] start) {
    int magic = 0;
    for (int i = 0; i < start.length; i++) {
      magic |= (start[i] & 0xff) << (8 * i);
    }
    if ((magic & 0xffff) == GZIP) {
      return GZIP;
    }
    return switch (magic) {
      case ZstdFrameInputStream.MAGIC, Lz4FrameInputStream.MAGIC, LEGACY_LZ4, ZIP -> magic;
      default -> 0;
    };
  }

  private void begin(InputStream raw) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(raw, BUFFER);
    if (peek(buffered) == ZIP) {
      archive = Archive.streamed(buffered, RecordingFiles::hasEnding);
    } else {
      stream = buffered;
    }
  }

  private static int peek(BufferedInputStream buffered) throws IOException {
    buffered.mark(LONGEST_MAGIC);
    byte[] start = buffered.readNBytes(LONGEST_MAGIC);
    buffered.reset();
    return packing(start);
  }

  private InputStream unpack(InputStream raw) throws IOException {
    // A stream with more available is read on, and a failure then loses what was read.
    CountedInput counted = new CountedInput(raw);
    packed = counted;
    BufferedInputStream buffered = new BufferedInputStream(new Unannounced(counted), BUFFER);
    return switch (peek(buffered)) {
      case GZIP -> new GzipMembersInputStream(buffered);
      case ZstdFrameInputStream.MAGIC -> new ZstdFrameInputStream(buffered);
      case Lz4FrameInputStream.MAGIC -> new Lz4FrameInputStream(buffered);
      case LEGACY_LZ4 ->
          throw new UnreadableException(
              name, entry() + "is packed in the legacy format of lz4, which is not supported");
      case ZIP ->
          throw new UnreadableException(
              name, entry() + "is an archive within an archive, which is not supported");
      default -> buffered;
    };
  }

  /** Writes a stream to a temporary file; what can be read before it breaks is kept. */
  private FileChannel save(InputStream unpacked) throws IOException {
    FileChannel file;
    IOException broken;
    try {
      file = temporaryFile();
      try {
        broken = copy(unpacked, file);
      } catch (IOException e) {
        file.close();
        throw e;
      }
    } catch (ClosedByInterruptException | UnreadableException e) {
      throw e;
    } catch (IOException e) {
      String directory = System.getProperty("java.io.tmpdir");
      throw new UnreadableException(
          name, "cannot be copied to a temporary file in " + directory + ": " + cause(e), e);
    }
    if (broken != null) {
      UnreadableException failure = unreadable(broken);
      // What the heap lacks is no damage.
      if (file.size() == 0 || failure.getCause() != null) {
        file.close();
        throw failure;
      }
      String also = isCut ? ", nor can what follows it: " : ": ";
      report.accept(entry() + "cannot be unpacked to its end" + also + cause(broken));
    }
    return file;
  }

  /**
   * A file without a name, where the system knows such: nothing is left of it, however the process
   * ends.
   */
  private static FileChannel temporaryFile() throws IOException {
    Path file = Files.createTempFile("buftrail", ".jfr");
    try {
      return FileChannel.open(
          file,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /** Writes a stream to a file; answers why the stream broke off, or null. */
  private @Nullable IOException copy(InputStream unpacked, FileChannel file) throws IOException {
    byte[] buffer = new byte[BUFFER];
    boolean hasChunk = false;
    long total = 0;
    while (true) {
      int count;
      try {
        count = unpacked.read(buffer);
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (IOException e) {
        return e;
      }
      if (count < 0) {
        return null;
      }
      hasChunk = hasChunk || indexOfChunk(buffer, count) >= 0;
      total += count;
      check(hasChunk, total);
      ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, count);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }
  }

  /** Refuses what is no recording, or is made to fill the disk, before it does. */
  private void check(boolean hasChunk, long total) throws UnreadableException {
    CountedInput from = packed;
    long count = from == null ? total : from.count();
    if (!hasChunk && total >= MOST_BEFORE_CHUNK) {
      throw new UnreadableException(name, entry() + "not a flight recording");
    } else if (total > mostUnpacked) {
      throw new UnreadableException(
          name, entry() + "is more than " + mostUnpacked + " bytes unpacked, which is the limit");
    } else if (total > UNSUSPICIOUS && total / MOST_FOR_ONE > count) {
      throw new UnreadableException(
          name, entry() + "is packed as no recording is: " + total + " bytes in " + count);
    }
  }

  private static int indexOfChunk(byte[] bytes, int count) {
    for (int i = 0; i + 4 <= count; i++) {
      if (bytes[i] == 'F' && bytes[i + 1] == 'L' && bytes[i + 2] == 'R' && bytes[i + 3] == 0) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    Archive known = archive;
    if (known != null) {
      known.close();
    }
    ByteSource file = opened;
    if (file != null) {
      file.close();
    }
  }
}
