package org.buftrail.jfr;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.buftrail.jfr.packing.Lz4FrameInputStream;
import org.buftrail.jfr.packing.ZstdFrameInputStream;
import org.jspecify.annotations.Nullable;

/**
 * One named input as files of plain recordings. What is packed, or comes from standard input, goes
 * through temporary files, since a chunk's constants come last; {@link #close} deletes them. How it
 * is packed is told by its first bytes, whatever it is called.
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
  private @Nullable String damage;

  private Input(Path name) {
    this.name = name;
  }

  /**
   * The recordings that a path stands for: itself, or all below it if it is a directory, by name.
   */
  static List<Path> expand(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> below = Files.walk(path)) {
      List<Path> recordings = below.filter(Input::isRecording).sorted().toList();
      if (recordings.isEmpty()) {
        throw new RecordingException(path, 0, "no recordings in this directory");
      }
      return recordings;
    }
  }

  private static boolean isRecording(Path path) {
    String file = path.getFileName().toString();
    return ENDINGS.stream().anyMatch(file::endsWith) && Files.isRegularFile(path);
  }

  /** Opens a file; {@code -} is standard input. */
  static Input open(Path path) throws IOException {
    Input input = new Input(path);
    try {
      if (path.equals(STANDARD_INPUT)) {
        input.read(System.in);
      } else if (magic(path) == 0) {
        input.files.add(path);
      } else {
        try (InputStream stream = Files.newInputStream(path)) {
          input.read(stream);
        }
      }
    } catch (NoSuchFileException e) {
      throw new RecordingException(path, 0, "no such file");
    } catch (RecordingException e) {
      input.close();
      throw e;
    } catch (IOException e) {
      input.close();
      throw new RecordingException(path, 0, "cannot be read: " + e.getMessage());
    }
    return input;
  }

  /** The recordings, at least one. */
  List<Path> files() {
    return files;
  }

  /** What was wrong with the packing, or null. */
  @Nullable String damage() {
    return damage;
  }

  private static int magic(Path path) throws IOException {
    try (InputStream stream = Files.newInputStream(path)) {
      return packing(stream.readNBytes(LONGEST_MAGIC));
    }
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
      case GZIP -> save(new GZIPInputStream(stream, 1 << 16));
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
      throw new RecordingException(name, 0, "no recordings (*.jfr) in this archive");
    }
  }

  /** Writes a stream to a temporary file; what can be read before it breaks is kept. */
  private void save(InputStream stream) throws IOException {
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

  private int readSome(InputStream stream, byte[] buffer) {
    try {
      return stream.read(buffer);
    } catch (IOException e) {
      damage = "cannot be unpacked to its end: " + e.getMessage();
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    for (Path file : temporary) {
      Files.deleteIfExists(file);
    }
  }
}
