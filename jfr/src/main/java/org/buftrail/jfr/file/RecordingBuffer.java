package org.buftrail.jfr.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The part of a recording that is in memory.
 *
 * <p>A recording is read front to back through one array that slides over the file, so the memory
 * it takes does not grow with the file. A chunk of the usual size is held as a whole and so read
 * once; a larger one is read once for each pass over it, little at a time. Only a single event that
 * must be seen as a whole can make the array larger.
 */
public final class RecordingBuffer extends Cursor {
  /** Bytes that are read at a time, and held of what is too large to be held as a whole. */
  private static final int READ_SIZE = 256 << 10;

  /** Bytes that are read where a seek has led, which often is all that is wanted there. */
  private static final int FIRST_READ = 8 << 10;

  /**
   * The largest chunk that is held as a whole, in bytes: up to 16 MiB, and an eighth of the heap.
   */
  public static final int CAPACITY =
      (int) Math.max(READ_SIZE, Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 8));

  /** No single event or constant that must be held as a whole is larger than this. */
  public static final int LARGEST = 64 << 20;

  private final ByteSource source;
  private long size;
  private final int most;
  private int capacity = READ_SIZE;

  /** How many bytes are read next, at least: more and more where reading goes on. */
  private int ahead = FIRST_READ;

  private long base;
  private long end;
  private int filled;

  /** Whether the file could not be read behind what is held, though it has more. */
  private boolean isBroken;

  /**
   * @param source the recording
   * @param spent a buffer that is no longer used, whose memory the new one may take over
   */
  public RecordingBuffer(ByteSource source, @Nullable RecordingBuffer spent) throws IOException {
    this(source, spent == null ? new byte[0] : spent.bytes, CAPACITY);
  }

  private RecordingBuffer(ByteSource source, byte[] array, int most) throws IOException {
    super(array, 0, true);
    this.source = source;
    this.size = source.size();
    this.most = most;
    this.end = size;
  }

  /**
   * Another buffer on the same file, to pass over much of it without disturbing this one. What it
   * holds at a time fits the processor's cache.
   *
   * @param array reused for the data if it is large enough
   */
  public RecordingBuffer glance(byte[] array) throws IOException {
    return new RecordingBuffer(source, array, 0);
  }

  /** Length of the file in bytes; less than at first if it has turned out to be cut. */
  public long size() {
    return size;
  }

  /** Offset in the file of the next byte to decode. */
  @Override
  public long offset() {
    return base + position;
  }

  /** Offset in the file behind the last byte that may be decoded. */
  public long end() {
    return end;
  }

  /** Confines decoding to what lies before a file offset. */
  public void confine(long newEnd) {
    end = Math.min(newEnd, size);
    limit = (int) Math.max(0, Math.min(filled, end - base));
  }

  /** Goes to an offset in the file, without reading anything yet. */
  public void seek(long offset) {
    long inWindow = offset - base;
    if (inWindow >= 0 && inWindow <= filled) {
      position = (int) inWindow;
    } else {
      base = offset;
      position = 0;
      limit = 0;
      filled = 0;
      ahead = FIRST_READ;
    }
  }

  /**
   * Goes to a stretch of the file and confines decoding to what lies before its end. Has it in
   * memory as a whole if it is not too large.
   */
  public void hold(long from, long to) throws IOException {
    confine(to);
    seek(from);
    if (to - from <= most) {
      capacity = most;
      ahead = most;
      ensure(1);
    } else {
      capacity = READ_SIZE;
    }
  }

  /**
   * Makes the next bytes decodable.
   *
   * @param count how many
   * @return whether there are as many before {@link #end()}
   */
  public boolean ensure(int count) throws IOException {
    return limit - position >= count || fill(count);
  }

  /** As {@link #ensure}, and fails when they are not there. */
  public void require(int count, String what) throws IOException, DamageException {
    if (limit - position < count && !fill(count)) {
      throw new DamageException(offset(), what + " goes on past the end of the data");
    }
  }

  /** Bytes of the file, without moving; zeros where it has none. */
  public byte[] copy(long from, int count) throws IOException {
    byte[] copied = new byte[count];
    long inWindow = from - base;
    if (inWindow >= 0 && inWindow + count <= filled) {
      System.arraycopy(bytes, (int) inWindow, copied, 0, count);
    } else {
      ByteBuffer target = ByteBuffer.wrap(copied);
      for (int read = 0; read >= 0 && target.hasRemaining(); ) {
        read = source.read(target, from + target.position());
      }
    }
    return copied;
  }

  private boolean fill(int count) throws IOException {
    long offset = base + position;
    long available = end - offset;
    if (available < count || count > LARGEST || count < 0) {
      return false;
    }
    int wanted = (int) Math.min(available, Math.max(count, ahead));
    ahead = Math.min(capacity, 4 * ahead);
    if (bytes.length < wanted + SLACK) {
      bytes = new byte[wanted + SLACK];
    }
    base = offset;
    position = 0;
    filled = 0;
    isBroken = false;
    filled = read(source, wanted, count);
    limit = filled;
    if (filled < wanted && !isBroken) {
      // The file has been cut meanwhile: what is gone is not asked for again.
      size = base + filled;
      end = Math.min(end, size);
    }
    Arrays.fill(bytes, filled, Math.min(bytes.length, filled + SLACK), (byte) 0);
    return limit >= count;
  }

  /**
   * Reads the buffer's bytes; answers how many there are, or can be read.
   *
   * @param least with fewer it fails where the file cannot be read any further
   */
  private int read(ByteSource file, int wanted, int least) throws IOException {
    ByteBuffer target = ByteBuffer.wrap(bytes);
    int end = 0;
    int count = 0;
    while (end < wanted && count >= 0) {
      // The channel reads to memory of its own first: little at a time stays in the caches.
      target.limit(Math.min(wanted, end + READ_SIZE)).position(end);
      try {
        count = file.read(target, base + end);
      } catch (IOException e) {
        if (end < least || !file.isOpen()) {
          throw e;
        }
        isBroken = true;
        return end;
      }
      end += Math.max(0, count);
    }
    return end;
  }
}
