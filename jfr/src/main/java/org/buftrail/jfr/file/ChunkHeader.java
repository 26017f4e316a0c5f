package org.buftrail.jfr.file;

import java.io.IOException;
import org.buftrail.jfr.table.SaturatingMath;
import org.jspecify.annotations.Nullable;

/**
 * The 68 bytes at the start of a chunk, big-endian and never compressed.
 *
 * <pre>
 *  0 magic FLR\0    4 major u2   6 minor u2
 *  8 chunk size    16 constant pool offset   24 metadata offset (both from the chunk's start)
 * 32 start ns      40 duration ns            48 start ticks   56 ticks a second
 * 64 state u1      65 padding                66 flags u2: bit 0 compressed integers, bit 1 last chunk
 * </pre>
 */
public final class ChunkHeader {
  /** Its length in bytes. */
  public static final int LENGTH = 68;

  /** Bytes of the size and the type of an event, at most. */
  public static final int EVENT = 18;

  /** {@code FLR\0}, the first four bytes. */
  public static final int MAGIC = 0x464c5200;

  private static final long NANOS = 1_000_000_000L;

  /** Later times are taken for damage. */
  private static final long LATEST = 4_000_000_000L * NANOS;

  /** Position in the list of the file's chunks, from 0. */
  public final int index;

  /** Where the chunk begins in the file. */
  public final long offset;

  /** The chunk's length as the header states it. */
  public final long size;

  /** Offset of the last checkpoint event from the chunk's start, or 0. */
  public final long checkpoint;

  /** Offset of the metadata event from the chunk's start, or 0. */
  public final long metadata;

  /** Start of the chunk in nanoseconds since the epoch. */
  public final long startNanos;

  /** Duration of the chunk in nanoseconds, 0 when it was never finished. */
  public final long durationNanos;

  /** The tick counter at the start. */
  public final long startTicks;

  /** Ticks in a second, never 0. */
  public final long ticksPerSecond;

  /** 0 when finished. */
  public final int state;

  /** Whether integers are varints. */
  public final boolean compressed;

  private final long statedStartNanos;
  private final long statedDurationNanos;

  private ChunkHeader(int index, RecordingBuffer buffer) {
    this.index = index;
    offset = buffer.offset();
    buffer.position += 8;
    size = buffer.fixed8();
    checkpoint = buffer.fixed8();
    metadata = buffer.fixed8();
    statedStartNanos = buffer.fixed8();
    startNanos = clamp(statedStartNanos);
    statedDurationNanos = buffer.fixed8();
    durationNanos = Math.max(0, Math.min(LATEST - startNanos, statedDurationNanos));
    startTicks = buffer.fixed8();
    ticksPerSecond = buffer.fixed8();
    state = buffer.fixed1() & 0xff;
    buffer.position += 1;
    compressed = (buffer.fixed2() & 1) != 0;
  }

  /** What wrote a recording that begins with a header of a format before 2; null if none did. */
  public static @Nullable String earlierWriter(RecordingBuffer buffer) throws IOException {
    buffer.seek(0);
    if (!buffer.ensure(LENGTH) || buffer.fixed4() != MAGIC) {
      return null;
    }
    return switch (buffer.fixed2()) {
      case 0 -> "JDK 7 or 8, or async-profiler 1 (format 0.9)";
      case 1 -> "JDK 9 or 10 (format 1.0)";
      default -> null;
    };
  }

  /**
   * Reads the header at the buffer's offset.
   *
   * @throws DamageException if there is none
   */
  public static ChunkHeader read(int index, RecordingBuffer buffer)
      throws IOException, DamageException {
    long at = buffer.offset();
    buffer.require(LENGTH, "the chunk header");
    int start = buffer.position;
    int magic = buffer.fixed4();
    int major = buffer.fixed2();
    buffer.position = start;
    if (magic != MAGIC) {
      throw new DamageException(at, "no chunk begins here (magic bytes FLR\\0 expected)");
    }
    if (major != 2) {
      throw new DamageException(at + 4, "chunk format " + (major & 0xffff) + ", 2 expected");
    }
    ChunkHeader header = new ChunkHeader(index, buffer);
    if (header.ticksPerSecond <= 0) {
      throw new DamageException(at + 56, header.ticksPerSecond + " ticks a second");
    }
    return header;
  }

  /** Whether its writer has been back to it. async-profiler states no offsets before. */
  public boolean isFinished() {
    return state == 0 && (checkpoint | metadata) != 0;
  }

  /** Whether a chunk of another JVM has a clock that began at another time. */
  public boolean isSameProcess(ChunkHeader other) {
    long zero = startNanos - span(startTicks);
    long otherZero = other.startNanos - other.span(other.startTicks);
    return ticksPerSecond == other.ticksPerSecond && Math.abs(zero - otherZero) < 10 * NANOS;
  }

  /** Whether the header's times could be right: none is negative or after the year 2096. */
  public boolean isDated() {
    return statedStartNanos == startNanos && statedDurationNanos == durationNanos;
  }

  /**
   * Converts a tick count of this chunk to nanoseconds since the epoch. The later of two counts is
   * never converted to the earlier time, whatever a damaged recording holds.
   */
  public long nanos(long ticks) {
    long distance = ticks - startTicks;
    if (((ticks ^ startTicks) & (ticks ^ distance)) < 0) {
      distance = ticks < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return clamp(startNanos + clampSpan(distance));
  }

  private long clampSpan(long ticks) {
    long seconds = ticks / ticksPerSecond;
    if (Math.abs(seconds) >= LATEST / NANOS) {
      return ticks < 0 ? -LATEST : LATEST;
    }
    return span(ticks);
  }

  private static long clamp(long nanos) {
    // A profile without a time does not conform, so not 0.
    return Math.max(1, Math.min(LATEST, nanos));
  }

  /** Converts a difference in ticks to nanoseconds. */
  public long span(long ticks) {
    if (ticksPerSecond == NANOS) {
      return ticks;
    }
    long whole = SaturatingMath.times(ticks / ticksPerSecond, NANOS);
    long rest = ticks % ticksPerSecond;
    return SaturatingMath.plus(
        whole,
        ticksPerSecond <= Long.MAX_VALUE / NANOS
            ? rest * NANOS / ticksPerSecond
            : (long) ((double) rest * NANOS / ticksPerSecond));
  }
}
