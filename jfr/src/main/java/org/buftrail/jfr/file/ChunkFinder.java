package org.buftrail.jfr.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the chunks of a recording one after the other: by the sizes that their headers state, and
 * where those are wrong by searching for the next header.
 */
public final class ChunkFinder {
  /** Bytes that a header is known by: its magic and the first of its version. */
  private static final int MAGIC_BYTES = 6;

  /** Bytes before a header that tell whether it is a copy, at most. */
  private static final int MOST_BEFORE = 5;

  private static final int KNOWN_BYTES = MOST_BEFORE + MAGIC_BYTES;

  private static final String NOT_FINISHED = "the chunk was not finished";

  private final RecordingBuffer buffer;
  private long offset;
  private int index;

  // From where a header that could be right was searched for last, and where it is: a process that
  // writes
  // many that are not does not have the file searched for each.
  private long searched = Long.MAX_VALUE;
  private long dated;

  /** A chunk, or a stretch of bytes that is none. */
  public static final class Chunk implements DamageListener {
    public final int index;

    /** Offset in the file of its first byte. */
    public final long start;

    /** Its header, or null where no chunk begins. */
    public final @Nullable ChunkHeader header;

    /** Offset in the file behind its last byte. */
    public final long end;

    /** The fault of its extent. */
    public final List<DamageException> damages;

    public Chunk(
        int index,
        long start,
        @Nullable ChunkHeader header,
        long end,
        List<DamageException> damages) {
      this.index = index;
      this.start = start;
      this.header = header;
      this.end = end;
      this.damages = damages;
    }

    @Override
    public void damaged(DamageException damage) {
      damages.add(damage);
    }
  }

  public ChunkFinder(RecordingBuffer buffer) {
    this.buffer = buffer;
  }

  /** Another that finds what this one has yet to find, through another buffer on the file. */
  public ChunkFinder rest(RecordingBuffer other) {
    ChunkFinder rest = new ChunkFinder(other);
    rest.offset = offset;
    rest.index = index;
    rest.searched = searched;
    rest.dated = dated;
    return rest;
  }

  /** Offset in the file of what has yet to be found. */
  public long offset() {
    return offset;
  }

  /** Whether the last chunk has been found. */
  public boolean isAtEnd() {
    return offset >= buffer.size();
  }

  /** Whether a chunk begins anywhere, if not at the file's start. */
  public boolean isRecording() throws IOException {
    return isMagic(0) || search(1) < buffer.size();
  }

  /** The next chunk, or null at the end of the file. */
  public @Nullable Chunk next() throws IOException {
    if (isAtEnd()) {
      return null;
    }
    long start = offset;
    List<DamageException> damages = new ArrayList<>();
    buffer.confine(buffer.size());
    buffer.seek(start);
    ChunkHeader header = null;
    try {
      header = ChunkHeader.read(index, buffer);
      offset = end(header, damages);
      if (!header.isDated()) {
        damages.add(new DamageException(start + 32, "the chunk's times cannot be right"));
      }
    } catch (DamageException damage) {
      damages.add(damage);
      offset = search(start + 1);
    }
    return new Chunk(index++, start, header, offset, damages);
  }

  /**
   * Where a chunk ends: where its header says, unless another chunk begins before that, as behind
   * one that was cut off, or nothing that could be right is said.
   */
  private long end(ChunkHeader header, List<DamageException> damages) throws IOException {
    long left = buffer.size() - header.offset;
    long stated = header.offset + header.size;
    if (header.size < ChunkHeader.LENGTH || header.size > left) {
      long next = search(header.offset + ChunkHeader.LENGTH);
      damages.add(wrongSize(header, next));
      return next;
    }
    if (!header.isFinished()) {
      damages.add(new DamageException(header.offset, NOT_FINISHED));
    }
    if (stated == buffer.size() || isMagic(buffer.copy(stated - MOST_BEFORE, KNOWN_BYTES))) {
      return stated;
    }
    long next = searchDated(header.offset + ChunkHeader.LENGTH);
    if (!header.isFinished()) {
      return next;
    }
    boolean holdsConstants = Math.max(header.checkpoint, header.metadata) < header.size;
    if (stated <= next && holdsConstants) {
      return stated;
    }
    damages.add(wrongSize(header, next));
    return next;
  }

  private static DamageException wrongSize(ChunkHeader header, long next) {
    return new DamageException(
        header.offset,
        header.isFinished()
            ? "the chunk states a size of "
                + header.size
                + " bytes, of which "
                + (next - header.offset)
                + " are left"
            : NOT_FINISHED);
  }

  private boolean isMagic(long at) throws IOException {
    buffer.confine(buffer.size());
    buffer.seek(at);
    return buffer.ensure(ChunkHeader.LENGTH) && buffer.fixed4() == ChunkHeader.MAGIC;
  }

  /** Where the next header begins that could be right, or the end of the file. */
  private long searchDated(long from) throws IOException {
    if (from < searched || from > dated) {
      dated = search(from);
      while (dated < buffer.size() && !isDated(dated)) {
        dated = search(dated + 1);
      }
      searched = from;
    }
    return dated;
  }

  private boolean isDated(long at) throws IOException {
    buffer.seek(at);
    try {
      return ChunkHeader.read(index, buffer).isDated();
    } catch (DamageException damage) {
      return false;
    }
  }

  /** Where the next header begins, or the end of the file. */
  private long search(long from) throws IOException {
    long at = from;
    long last = buffer.size() - ChunkHeader.LENGTH;
    while (at <= last) {
      // What lies before a header tells whether it is a copy.
      long start = Math.max(0, at - MOST_BEFORE);
      buffer.seek(start);
      // More is read than that, but not anew for each header that is found in it.
      if (!buffer.ensure((int) Math.min(KNOWN_BYTES, buffer.size() - start))) {
        return buffer.size();
      }
      int first = buffer.position + (int) (at - start);
      int found = indexOfMagic(buffer.bytes, first, buffer.limit);
      if (found >= 0) {
        buffer.position = found;
        return buffer.offset();
      }
      at = Math.max(at + 1, start + buffer.remaining() - (MAGIC_BYTES - 1));
    }
    return buffer.size();
  }

  private static int indexOfMagic(byte[] bytes, int from, int limit) {
    for (int i = from; i + MAGIC_BYTES <= limit; i++) {
      if (bytes[i] == 'F' && isMagic(bytes, i) && !isCopy(bytes, i)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isMagic(byte[] known) {
    return isMagic(known, MOST_BEFORE) && !isCopy(known, MOST_BEFORE);
  }

  private static boolean isMagic(byte[] bytes, int at) {
    return bytes[at] == 'F'
        && bytes[at + 1] == 'L'
        && bytes[at + 2] == 'R'
        && bytes[at + 3] == 0
        && bytes[at + 4] == 0
        && bytes[at + 5] == 2;
  }

  /**
   * Whether a header is the copy that HotSpot puts into a checkpoint at each flush: a pool of one
   * constant, whose key is 1, an array of bytes that is as long as a header.
   */
  private static boolean isCopy(byte[] bytes, int at) {
    if (at < MOST_BEFORE || bytes[at - 1] != ChunkHeader.LENGTH) {
      return false;
    }
    boolean compressed = bytes[at - 2] == 1 && bytes[at - 3] == 1;
    boolean fixed =
        bytes[at - 2] == 0 && bytes[at - 3] == 0 && bytes[at - 4] == 0 && bytes[at - 5] == 1;
    return compressed || fixed;
  }
}
