package org.buftrail.jfr.constants;

import java.nio.charset.StandardCharsets;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.file.Text;
import org.buftrail.profile.dictionary.StringTable;
import org.jspecify.annotations.Nullable;

/**
 * Strings that stand in the events of a chunk, as numbers: twice the index in a table and 1, or
 * twice the key of a constant of the chunk, whose text is not known while events are read. The
 * numbers of {@link KeptTexts}, which other chunks have too, are odd and below 0.
 */
public final class ChunkTexts {
  private static final KeptTexts NONE = new KeptTexts();

  private final StringTable strings = new StringTable();
  private KeptTexts kept = NONE;

  /** Forgets the strings of the last chunk, and takes over what others have. */
  public void clear(@Nullable KeptTexts others) {
    strings.clear();
    kept = others == null ? NONE : others;
  }

  /** The number that stands for a constant of the chunk. */
  public static long ofConstant(long key) {
    return key << 1;
  }

  /** Whether a number stands for a constant of the chunk. */
  public static boolean isConstant(long number) {
    return (number & 1) == 0;
  }

  /** The key of the constant that a number stands for. */
  public static long constant(long number) {
    return number >> 1;
  }

  /** Length in bytes of the text of a number that does not stand for a constant. */
  public int length(long number) {
    return number < 0 ? kept.length(number) : strings.byteLength(index(number));
  }

  /** Copies the text of a number that does not stand for a constant to the front of an array. */
  public void copy(long number, byte[] target) {
    if (number < 0) {
      kept.copy(number, target);
    } else {
      strings.copy(index(number), target, 0);
    }
  }

  private static int index(long number) {
    return (int) (number >> 1);
  }

  /** The text of a number that does not stand for a constant. */
  public String string(long number) {
    byte[] text = new byte[length(number)];
    copy(number, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** The number of the string at a file offset that is in the buffer; 0 for none. */
  public long intern(RecordingBuffer buffer, long offset) {
    if (offset == 0) {
      return 0;
    }
    int position = buffer.position;
    buffer.seek(offset);
    long number = read(buffer);
    buffer.position = position;
    return number;
  }

  /** The number of a text. */
  public long intern(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return (long) strings.intern(utf8, 0, utf8.length) << 1 | 1;
  }

  private long read(Cursor buffer) {
    int start = buffer.position;
    int encoding = buffer.fixed1();
    if (encoding == Text.CONSTANT) {
      return ofConstant(buffer.i8());
    }
    if (encoding == Text.UTF8) {
      int count = buffer.i4();
      if (count < 0 || count > buffer.remaining()) {
        return 0;
      }
      return (long) strings.intern(buffer.bytes, buffer.position, count) << 1 | 1;
    }
    buffer.position = start;
    return intern(Text.read(buffer));
  }
}
