package org.buftrail.jfr;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the chunks of a recording one after the other: by the sizes that their headers state, and
 * where those are wrong by searching for the next header.
 */
final class ChunkFinder {
  /** Bytes that a header is known by: its magic and the first of its version. */
  private static final int MAGIC_BYTES = 6;

  private final Window window;
  private long offset;
  private int index;

  /** A chunk, or a stretch of bytes that is none. */
  static final class Chunk {
    final int index;

    /** Its header, or null where no chunk begins. */
    final @Nullable ChunkHeader header;

    /** Offset in the file behind its last byte. */
    final long end;

    /** What is wrong with its extent. */
    final List<DamageException> damages;

    Chunk(int index, @Nullable ChunkHeader header, long end, List<DamageException> damages) {
      this.index = index;
      this.header = header;
      this.end = end;
      this.damages = damages;
    }
  }

  ChunkFinder(Window window) {
    this.window = window;
  }

  /** Another that finds what this one has yet to find, through another window on the file. */
  ChunkFinder rest(Window other) {
    ChunkFinder rest = new ChunkFinder(other);
    rest.offset = offset;
    rest.index = index;
    return rest;
  }

  /** Whether the last chunk has been found. */
  boolean isAtEnd() {
    return offset >= window.size();
  }

  /** Whether a chunk begins anywhere, if not at the file's start. */
  boolean isRecording() throws IOException {
    return isMagic(0) || search(1) < window.size();
  }

  /** The next chunk, or null at the end of the file. */
  @Nullable Chunk next() throws IOException {
    if (isAtEnd()) {
      return null;
    }
    long start = offset;
    List<DamageException> damages = new ArrayList<>();
    window.confine(window.size());
    window.seek(start);
    ChunkHeader header = null;
    try {
      header = ChunkHeader.read(index, window);
      offset = end(header, damages);
      if (!header.isDated()) {
        damages.add(new DamageException(start + 32, "the chunk's times cannot be right"));
      }
    } catch (DamageException damage) {
      damages.add(damage);
      offset = search(start + 1);
    }
    return new Chunk(index++, header, offset, damages);
  }

  private long end(ChunkHeader header, List<DamageException> damages) throws IOException {
    long left = window.size() - header.offset;
    if (header.size < ChunkHeader.LENGTH || header.size > left) {
      damages.add(
          new DamageException(
              header.offset,
              header.isFinished()
                  ? "the chunk states a size of "
                      + header.size
                      + " bytes, of which "
                      + left
                      + " are left"
                  : "the chunk was not finished"));
      return search(header.offset + ChunkHeader.LENGTH);
    }
    long stated = header.offset + header.size;
    if (header.isFinished()) {
      return stated;
    }
    damages.add(new DamageException(header.offset, "the chunk was not finished"));
    return stated == window.size() || isMagic(stated) ? stated : search(stated);
  }

  private boolean isMagic(long at) throws IOException {
    window.confine(window.size());
    window.seek(at);
    return window.ensure(ChunkHeader.LENGTH) && window.fixed4() == ChunkHeader.MAGIC;
  }

  /** Where the next header begins, or the end of the file. */
  private long search(long from) throws IOException {
    long at = from;
    long last = window.size() - ChunkHeader.LENGTH;
    while (at <= last) {
      window.seek(at);
      window.ensure((int) Math.min(window.capacity(), window.size() - at));
      int found = indexOfMagic(window.bytes, window.position, window.limit);
      if (found >= 0) {
        window.position = found;
        return window.offset();
      }
      at += Math.max(1, window.remaining() - (MAGIC_BYTES - 1));
    }
    return window.size();
  }

  private static int indexOfMagic(byte[] bytes, int from, int limit) {
    for (int i = from; i + MAGIC_BYTES <= limit; i++) {
      if (bytes[i] == 'F'
          && bytes[i + 1] == 'L'
          && bytes[i + 2] == 'R'
          && bytes[i + 3] == 0
          && bytes[i + 4] == 0
          && (bytes[i + 5] == 1 || bytes[i + 5] == 2)) {
        return i;
      }
    }
    return -1;
  }
}
