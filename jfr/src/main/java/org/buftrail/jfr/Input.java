package org.buftrail.jfr;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.buftrail.jfr.packing.Lz4FrameInputStream;
import org.buftrail.jfr.packing.ZstdFrameInputStream;
import org.jspecify.annotations.Nullable;

/**
 * One named input as files of plain recordings. What is packed, or comes from standard input or a
 * pipe, goes through temporary files, since a chunk's constants come last; {@link #close} deletes
 * them. How it is packed is told by its first bytes, whatever it is called.
 */
final class Input implements Closeable {
  private static final Path STANDARD_INPUT = Path.of("-");
  private static final int LONGEST_MAGIC = 4;
  private static final int GZIP = 0x8b1f;
  private static final int ZIP = 0x04034b50;
  private static final List<String> ENDINGS =
      List.of(".jfr", ".jfr.gz", ".jfr.lz4", ".jfr.zst", ".jfr.zip");

  private final List<Path> files = new ArrayList<>();
  private final List<Path> temporary = new ArrayList<>();
  private final Path name;
  private @Nullable FileChannel plain;
  private @Nullable String damage;

  private Input(Path name) {
    this.name = name;
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

  /** Opens a file; {@code -} is standard input. */
  static Input open(Path path) throws IOException {
    Input input = new Input(path);
    try {
      if (path.equals(STANDARD_INPUT)) {
        input.read(System.in);
      } else {
        input.open();
      }
    } catch (NoSuchFileException e) {
      throw new RecordingException(path, "no such file");
    } catch (RecordingException e) {
      input.close();
      throw e;
    } catch (IOException e) {
      input.close();
      throw new RecordingException(path, "cannot be read: " + cause(e));
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
    FileChannel opened = FileChannel.open(name, StandardOpenOption.READ);
    try {
      ByteBuffer start = ByteBuffer.allocate(LONGEST_MAGIC);
      for (int count = 0; count >= 0 && start.hasRemaining(); ) {
        count = opened.read(start);
      }
      byte[] magic = Arrays.copyOf(start.array(), start.position());
      if (packing(magic) == 0 && !isStream(opened, magic.length)) {
        files.add(name);
        plain = opened;
        return;
      }
      // A pipe has no position, which the channel's stream asks for to say what is available.
      InputStream rest = new Available(Channels.newInputStream(opened), 0);
      read(new SequenceInputStream(new ByteArrayInputStream(magic), rest));
    } finally {
      if (plain == null) {
        opened.close();
      }
    }
  }

  /** Whether a file is a pipe, which cannot be read anywhere, or says that it has no bytes. */
  private static boolean isStream(FileChannel opened, int read) throws IOException {
    try {
      return opened.position() == read && opened.size() < read;
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

  /** The recordings, at least one. */
  List<Path> files() {
    return files;
  }

  /** Opens one of the recordings, once; to be closed by the caller. */
  FileChannel channel(Path file) throws IOException {
    FileChannel known = plain;
    return known != null ? known : FileChannel.open(file, StandardOpenOption.READ);
  }

  /** What was wrong with the packing, or null. */
  @Nullable String damage() {
    return damage;
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

  private void read(InputStream raw) throws IOException {
    BufferedInputStream stream = new BufferedInputStream(raw, 1 << 16);
    stream.mark(LONGEST_MAGIC);
    byte[] start = stream.readNBytes(LONGEST_MAGIC);
    stream.reset();
    switch (packing(start)) {
      // Before JDK 23 the next member is looked for only if something is available.
      case GZIP -> save(new GZIPInputStream(new Available(stream, 1), 1 << 16));
      case ZstdFrameInputStream.MAGIC -> save(new ZstdFrameInputStream(stream));
      case Lz4FrameInputStream.MAGIC -> save(new Lz4FrameInputStream(stream));
      case ZIP -> readEntries(new ZipInputStream(stream));
      default -> save(stream);
    }
  }

  private void readEntries(ZipInputStream zip) throws IOException {
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      if (!entry.isDirectory() && entry.getName().endsWith(".jfr")) {
        save(zip);
      }
    }
    if (files.isEmpty()) {
      throw new RecordingException(name, "no recordings (*.jfr) in this archive");
    }
  }

  /** Writes a stream to a temporary file; what can be read before it breaks is kept. */
  private void save(InputStream stream) throws IOException {
    try {
      copy(stream);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      String directory = System.getProperty("java.io.tmpdir");
      throw new RecordingException(
          name, "cannot be copied to a temporary file in " + directory + ": " + cause(e));
    }
  }

  private void copy(InputStream stream) throws IOException {
    Path file = Files.createTempFile("buftrail", ".jfr");
    temporary.add(file);
    files.add(file);
    byte[] buffer = new byte[1 << 16];
    try (OutputStream target = Files.newOutputStream(file)) {
      while (true) {
        int count = readSome(stream, buffer);
        if (count < 0) {
          return;
        }
        target.write(buffer, 0, count);
      }
    }
  }

  private int readSome(InputStream stream, byte[] buffer) throws IOException {
    try {
      return stream.read(buffer);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      damage = "cannot be unpacked to its end: " + cause(e);
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel known = plain;
    if (known != null) {
      known.close();
    }
    for (Path file : temporary) {
      Files.deleteIfExists(file);
    }
  }
}
