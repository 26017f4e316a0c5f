package org.buftrail.jfr;

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
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.buftrail.jfr.packing.Lz4FrameInputStream;
import org.buftrail.jfr.packing.ZstdFrameInputStream;
import org.jspecify.annotations.Nullable;

/**
 * One named input as plain recordings, one after the other. What is packed, or comes from standard
 * input or a pipe, goes through a temporary file, since a chunk's constants come last. How it is
 * packed is told by its first bytes, whatever it is called.
 */
final class Input implements Closeable {
  private static final Path STANDARD_INPUT = Path.of("-");
  private static final int LONGEST_MAGIC = 4;
  private static final int GZIP = 0x8b1f;
  private static final int ZIP = 0x04034b50;
  private static final List<String> ENDINGS =
      List.of(".jfr", ".jfr.gz", ".jfr.lz4", ".jfr.zst", ".jfr.zip");

  private final Path name;
  private final Consumer<String> report;
  private @Nullable FileChannel opened;
  private @Nullable InputStream stream;
  private @Nullable ZipInputStream zip;
  private boolean isTaken;

  private Input(Path name, Consumer<String> report) {
    this.name = name;
    this.report = report;
  }

  /**
   * The recordings that a path stands for: itself, or all below it if it is a directory, by name.
   * What cannot be looked into is among them, to be told when it is opened.
   */
  static List<Path> expand(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    Below below = new Below(path);
    Files.walkFileTree(below.start, below);
    if (below.recordings.isEmpty()) {
      throw new RecordingException(path, "no recordings in this directory");
    }
    below.recordings.sort(null);
    return below.recordings;
  }

  /** Collects the recordings below a directory, or below what a link to a directory leads to. */
  private static final class Below extends SimpleFileVisitor<Path> {
    private final Path directory;
    private final Path start;
    private final List<Path> recordings = new ArrayList<>();

    Below(Path directory) throws IOException {
      this.directory = directory;
      // Links are not followed on the way down, where they might lead back.
      start = Files.isSymbolicLink(directory) ? directory.toRealPath() : directory;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (isRecording(file)) {
        add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (file.equals(start)) {
        throw e;
      }
      add(file);
      return FileVisitResult.CONTINUE;
    }

    private void add(Path file) {
      recordings.add(start.equals(directory) ? file : directory.resolve(start.relativize(file)));
    }
  }

  private static boolean isRecording(Path path) {
    // Of the root there is no name.
    Path last = path.getFileName();
    String file = last == null ? "" : last.toString();
    return ENDINGS.stream().anyMatch(file::endsWith) && Files.isRegularFile(path);
  }

  /** A file's name without the ending that it has as a recording, if it has one. */
  static String withoutEnding(String file) {
    for (String ending : ENDINGS) {
      if (file.endsWith(ending)) {
        return file.substring(0, file.length() - ending.length());
      }
    }
    return file;
  }

  /**
   * Opens a file; {@code -} is standard input.
   *
   * @param report is told what is wrong with the packing
   */
  static Input open(Path path, Consumer<String> report) throws IOException {
    Input input = new Input(path, report);
    try {
      if (path.equals(STANDARD_INPUT)) {
        input.begin(System.in);
      } else {
        input.open();
      }
    } catch (NoSuchFileException e) {
      throw new RecordingException(path, "no such file");
    } catch (IOException e) {
      input.close();
      throw e;
    }
    return input;
  }

  /** Why a file cannot be read. */
  static String cause(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    } else if (e instanceof ClosedByInterruptException) {
      return "interrupted";
    } else if (e instanceof EOFException) {
      return "it ends early";
    }
    String reason = e instanceof FileSystemException failure ? failure.getReason() : null;
    return reason != null ? reason : String.valueOf(e.getMessage());
  }

  private void open() throws IOException {
    FileChannel file = FileChannel.open(name, StandardOpenOption.READ);
    opened = file;
    ByteBuffer start = ByteBuffer.allocate(LONGEST_MAGIC);
    for (int count = 0; count >= 0 && start.hasRemaining(); ) {
      count = file.read(start);
    }
    byte[] magic = Arrays.copyOf(start.array(), start.position());
    if (packing(magic) == 0 && !isStream(file, magic.length)) {
      return;
    }
    // A pipe has no position, which the channel's stream asks for to say what is available.
    InputStream rest = new Available(Channels.newInputStream(file), 0);
    begin(new SequenceInputStream(new ByteArrayInputStream(magic), rest));
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

  /** A stream that always says the same of what is available. */
  private static final class Available extends FilterInputStream {
    private final int answer;

    Available(InputStream stream, int answer) {
      super(stream);
      this.answer = answer;
    }

    @Override
    public int available() {
      return answer;
    }
  }

  /** Whether there is another recording; there is at least one. */
  boolean hasNext() throws IOException {
    ZipInputStream entries = zip;
    if (entries == null) {
      return !isTaken;
    }
    for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
      if (!entry.isDirectory() && entry.getName().endsWith(".jfr")) {
        return true;
      }
    }
    if (!isTaken) {
      throw new RecordingException(name, "no recordings (*.jfr) in this archive");
    }
    return false;
  }

  /** Opens the next recording, to be closed by the caller. */
  FileChannel next() throws IOException {
    isTaken = true;
    InputStream unpacked = zip != null ? zip : stream;
    return unpacked != null ? save(unpacked) : Objects.requireNonNull(opened);
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
    return magic == ZstdFrameInputStream.MAGIC || magic == ZIP || magic == Lz4FrameInputStream.MAGIC
        ? magic
        : 0;
  }

  private void begin(InputStream raw) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(raw, 1 << 16);
    buffered.mark(LONGEST_MAGIC);
    byte[] start = buffered.readNBytes(LONGEST_MAGIC);
    buffered.reset();
    switch (packing(start)) {
      // Before JDK 23 the next member is looked for only if something is available.
      case GZIP -> stream = new GZIPInputStream(new Available(buffered, 1), 1 << 16);
      case ZstdFrameInputStream.MAGIC -> stream = new ZstdFrameInputStream(buffered);
      case Lz4FrameInputStream.MAGIC -> stream = new Lz4FrameInputStream(buffered);
      case ZIP -> zip = new ZipInputStream(buffered);
      default -> stream = buffered;
    }
  }

  /** Writes a stream to a temporary file; what can be read before it breaks is kept. */
  private FileChannel save(InputStream unpacked) throws IOException {
    try {
      FileChannel file = temporaryFile();
      try {
        copy(unpacked, file);
      } catch (IOException e) {
        file.close();
        throw e;
      }
      return file;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      String directory = System.getProperty("java.io.tmpdir");
      throw new RecordingException(
          name, "cannot be copied to a temporary file in " + directory + ": " + cause(e));
    }
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

  private void copy(InputStream unpacked, FileChannel file) throws IOException {
    byte[] buffer = new byte[1 << 16];
    for (int count = readSome(unpacked, buffer); count >= 0; count = readSome(unpacked, buffer)) {
      ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, count);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }
  }

  private int readSome(InputStream unpacked, byte[] buffer) throws IOException {
    try {
      return unpacked.read(buffer);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      report.accept("cannot be unpacked to its end: " + cause(e));
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel known = opened;
    if (known != null) {
      known.close();
    }
  }
}
