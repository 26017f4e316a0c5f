package org.buftrail.jfr.file;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The part of a recording that is in memory, and the decoding of JFR's primitives at a position in
 * it.
 *
 * <p>A recording is read front to back through one array that slides over the file, so the memory
 * it takes does not grow with the file. With a large heap the array holds a whole chunk of the
 * usual size, which is then read once and not once for each pass over it. Only a single event that
 * must be seen as a whole can make the array larger.
 *
 * <p>Decoding does not check bounds at each byte: the array ends with {@value #SLACK} zero bytes,
 * so a decoder that runs past the data stops there, and whoever decodes compares {@link #position}
 * with the end of what it decodes before using the result.
 */
public final class RecordingBuffer {
  /** Bytes of the file that are held at a time: from 256 KiB to 16 MiB. */
  public static final int CAPACITY =
      (int) Math.max(256 << 10, Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 64));

  /** Zero bytes behind the data: more than any run of decoding between two checks can consume. */
  public static final int SLACK = 16 << 10;

  /** Bytes that are read at a time. */
  private static final int READ_SIZE = 256 << 10;

  /** No single event or constant that must be held as a whole is larger than this. */
  public static final int LARGEST = 64 << 20;

  private static final VarHandle BIG_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle BIG_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  public static final VarHandle LITTLE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG_SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  /** The top bits of eight bytes, which the last byte of a varint does not have. */
  public static final long LAST_BYTES = 0x8080808080808080L;

  /** Multiplied with eight bytes of 0 or 1, leaves them as bits of the top byte, lowest first. */
  private static final long GATHER = 0x0102040810204080L;

  /** The data, then slack. */
  public byte[] bytes = new byte[0];

  /** Index in {@link #bytes} of the next byte to decode. */
  public int position;

  /** Index in {@link #bytes} behind the last byte of data. */
  public int limit;

  /** Whether integers are stored as varints, as the chunk's header says. */
  public boolean compressed = true;

  private final @Nullable FileChannel channel;
  private long size;
  private final int capacity;
  private long base;
  private long end;
  private int filled;

  /** Whether the file could not be read behind what is held, though it has more. */
  private boolean isBroken;

  /**
   * @param channel the recording
   * @param spent a buffer that is no longer used, whose memory the new one may take over
   */
  public RecordingBuffer(FileChannel channel, @Nullable RecordingBuffer spent) throws IOException {
    this(channel, spent == null ? new byte[0] : spent.bytes, CAPACITY);
  }

  private RecordingBuffer(FileChannel channel, byte[] array, int capacity) throws IOException {
    this.channel = channel;
    this.size = channel.size();
    this.capacity = capacity;
    this.bytes = array;
    this.end = size;
  }

  /** A buffer that shows all of an array, with slack behind it. */
  public RecordingBuffer(byte[] array, int length, boolean compressed) {
    this.channel = null;
    this.size = length;
    this.capacity = length;
    this.bytes = array;
    this.end = length;
    this.limit = length;
    this.filled = length;
    this.compressed = compressed;
  }

  /**
   * Another buffer on the same file, to pass over much of it without disturbing this one. What it
   * holds at a time fits the processor's cache.
   *
   * @param array reused for the data if it is large enough
   */
  public RecordingBuffer glance(byte[] array) throws IOException {
    if (channel == null) {
      throw new IllegalStateException("a window on an array shows all of it");
    }
    return new RecordingBuffer(channel, array, READ_SIZE);
  }

  /** Length of the file in bytes; less than at first if it has turned out to be cut. */
  public long size() {
    return size;
  }

  /** How many bytes are held at a time, unless something larger must be seen as a whole. */
  public int capacity() {
    return capacity;
  }

  /** Offset in the file of the next byte to decode. */
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
    } else if (channel != null) {
      ByteBuffer target = ByteBuffer.wrap(copied);
      for (int read = 0; read >= 0 && target.hasRemaining(); ) {
        read = channel.read(target, from + target.position());
      }
    }
    return copied;
  }

  private boolean fill(int count) throws IOException {
    long offset = base + position;
    long available = end - offset;
    if (channel == null || available < count || count > LARGEST || count < 0) {
      return false;
    }
    int wanted = (int) Math.min(available, Math.max(count, capacity));
    if (bytes.length < wanted + SLACK) {
      bytes = new byte[wanted + SLACK];
    }
    base = offset;
    position = 0;
    filled = 0;
    isBroken = false;
    filled = read(channel, wanted, count);
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
  private int read(FileChannel file, int wanted, int least) throws IOException {
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

  /** Decodes a varint: seven bits a byte, lowest first, and eight in the ninth. */
  public long varint() {
    byte[] b = bytes;
    int p = position;
    int first = b[p];
    if (first >= 0) {
      position = p + 1;
      return first;
    }
    int second = b[p + 1];
    if (second >= 0) {
      position = p + 2;
      return (first & 0x7f) | second << 7;
    }
    long word = (long) LITTLE_LONG.get(b, p);
    long last = ~word & LAST_BYTES;
    if (last == 0) {
      position = p + 9;
      return sevens(word) | ((long) b[p + 8] << 56);
    }
    int zeros = Long.numberOfTrailingZeros(last);
    position = p + (zeros >>> 3) + 1;
    return sevens(word & (-1L >>> (Long.SIZE - 1 - zeros)));
  }

  /** One bit for each of eight bytes: whether it lacks the top bit. */
  public static int ends(long bytes) {
    return (int) ((((~bytes & LAST_BYTES) >>> 7) * GATHER) >>> 56);
  }

  /** A varint whose last byte is so many bytes behind its first, at most seven. */
  public static long varint(byte[] b, int at, int last) {
    long word = (long) LITTLE_LONG.get(b, at);
    return sevens(word & (-1L >>> (Long.SIZE - Byte.SIZE - Byte.SIZE * last)));
  }

  /** The low seven bits of eight bytes, one after the other. */
  public static long sevens(long word) {
    long pairs = (word & 0x007f007f007f007fL) | ((word & 0x7f007f007f007f00L) >>> 1);
    long fours = (pairs & 0x00003fff00003fffL) | ((pairs & 0x3fff00003fff0000L) >>> 2);
    return (fours & 0x0fffffffL) | ((fours & 0x0fffffff00000000L) >>> 4);
  }

  /**
   * Passes over a number of varints: finds their last bytes, the ones without the top bit, eight
   * bytes at a time.
   */
  public void skipVarints(int count) {
    byte[] b = bytes;
    int p = position;
    int left = count;
    int run = 0;
    while (left >= 8 && p < limit) {
      long last = ~(long) LITTLE_LONG.get(b, p) & LAST_BYTES;
      // A ninth byte may have its top bit set and still be the last: only after eight that do.
      if (last == 0 || run + (Long.numberOfTrailingZeros(last) >>> 3) >= 8) {
        break;
      }
      run = Long.numberOfLeadingZeros(last) >>> 3;
      left -= Long.bitCount(last);
      p += 8;
    }
    position = p - run;
    while (left-- > 0 && position < limit) {
      skipVarint();
    }
  }

  /** Passes over one varint. */
  public void skipVarint() {
    byte[] b = bytes;
    int p = position;
    int most = p + 8;
    while (p < most && b[p] < 0) {
      p++;
    }
    position = p + 1;
  }

  /** Decodes a {@code long}. */
  public long i8() {
    return compressed ? varint() : fixed8();
  }

  /** Decodes an {@code int}; compressed ones hold a negative number as 32 unsigned bits. */
  public int i4() {
    return compressed ? (int) varint() : fixed4();
  }

  /** Decodes eight bytes, highest first. */
  public long fixed8() {
    long value = (long) BIG_LONG.get(bytes, position);
    position += 8;
    return value;
  }

  /** Decodes four bytes, highest first. */
  public int fixed4() {
    int value = (int) BIG_INT.get(bytes, position);
    position += 4;
    return value;
  }

  /** Decodes two bytes, highest first. */
  public short fixed2() {
    short value = (short) BIG_SHORT.get(bytes, position);
    position += 2;
    return value;
  }

  /** Decodes one byte. */
  public byte fixed1() {
    return bytes[position++];
  }

  /** How many decodable bytes lie ahead in memory; negative if decoding ran past the data. */
  public int remaining() {
    return limit - position;
  }
}
