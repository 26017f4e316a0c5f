package org.buftrail.jfr.input;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.buftrail.jfr.file.UnreadableException;
import org.buftrail.profile.stream.CountedInput;
import org.jspecify.annotations.Nullable;

/** The recordings of a zip archive, one after the other. */
abstract class Archive implements Closeable {
  private final Predicate<String> isRecording;

  private Archive(Predicate<String> isRecording) {
    this.isRecording = isRecording;
  }

  /**
   * An archive with its directory, which lies at its end: a damaged entry hides no other.
   *
   * @throws ZipException if there is no directory
   */
  static Archive listed(Path file, Predicate<String> isRecording) throws IOException {
    // Names that are not UTF-8 are not refused then.
    ZipFile zip = new ZipFile(file.toFile(), StandardCharsets.ISO_8859_1);
    long packed = 0;
    Enumeration<? extends ZipEntry> entries = zip.entries();
    long size = Files.size(file);
    while (entries.hasMoreElements()) {
      // A size that cannot be right is one entry's trouble.
      long stated = entries.nextElement().getCompressedSize();
      packed += stated > 0 && stated <= size ? stated : 0;
    }
    if (packed > size) {
      zip.close();
      throw new UnreadableException(file, "entries of this archive overlap");
    }
    return new Listed(zip, isRecording);
  }

  /** An archive that is read from its front. */
  static Archive streamed(InputStream stream, Predicate<String> isRecording) {
    return new Streamed(new ZipInputStream(stream, StandardCharsets.ISO_8859_1), isRecording);
  }

  /** Goes to the next recording, and answers its name; null if there are no more. */
  final @Nullable String next() throws IOException {
    try {
      for (ZipEntry entry = nextEntry(); entry != null; entry = nextEntry()) {
        if (!entry.isDirectory() && isRecording.test(entry.getName())) {
          return entry.getName();
        }
      }
      return null;
    } catch (IllegalArgumentException e) {
      // As the JDK says it.
      throw new ZipException("the name of an entry is damaged");
    }
  }

  abstract @Nullable ZipEntry nextEntry() throws IOException;

  /** The bytes of the recording, unpacked. Ends in an exception if they are not what was packed. */
  abstract InputStream open() throws IOException;

  /** Whether the archive itself was damaged where it was read last, which hides what follows. */
  abstract boolean isBroken();

  private static final class Listed extends Archive {
    private final ZipFile zip;
    private final Enumeration<? extends ZipEntry> entries;
    private @Nullable ZipEntry current;

    Listed(ZipFile zip, Predicate<String> isRecording) {
      super(isRecording);
      this.zip = zip;
      entries = zip.entries();
    }

    @Override
    @Nullable ZipEntry nextEntry() {
      current = entries.hasMoreElements() ? entries.nextElement() : null;
      return current;
    }

    @Override
    InputStream open() throws IOException {
      ZipEntry entry = Objects.requireNonNull(current);
      InputStream stream = zip.getInputStream(entry);
      if (stream == null) {
        throw new ZipException("it is not in the archive");
      }
      return new Checked(stream, entry.getCrc());
    }

    @Override
    boolean isBroken() {
      return false;
    }

    @Override
    public void close() throws IOException {
      zip.close();
    }
  }

  /** Compares a checksum at the end, which archives with a directory leave to the reader. */
  private static final class Checked extends CountedInput {
    private final CheckedInputStream checked;
    private final long stated;

    Checked(InputStream stream, long stated) {
      this(new CheckedInputStream(stream, new CRC32()), stated);
    }

    private Checked(CheckedInputStream checked, long stated) {
      super(checked);
      this.checked = checked;
      this.stated = stated;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = super.read(target, offset, length);
      if (count < 0 && stated >= 0 && checked.getChecksum().getValue() != stated) {
        throw new ZipException("its content does not match its checksum");
      }
      return count;
    }
  }

  private static final class Streamed extends Archive {
    private final ZipInputStream zip;
    private boolean isBroken;

    Streamed(ZipInputStream zip, Predicate<String> isRecording) {
      super(isRecording);
      this.zip = zip;
    }

    @Override
    @Nullable ZipEntry nextEntry() throws IOException {
      return zip.getNextEntry();
    }

    @Override
    InputStream open() {
      return new FilterInputStream(zip) {
        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          try {
            return super.read(target, offset, length);
          } catch (IOException e) {
            isBroken = true;
            throw e;
          }
        }

        @Override
        public void close() {
          // The archive goes on behind the recording.
        }
      };
    }

    @Override
    boolean isBroken() {
      return isBroken;
    }

    @Override
    public void close() throws IOException {
      zip.close();
    }
  }
}
