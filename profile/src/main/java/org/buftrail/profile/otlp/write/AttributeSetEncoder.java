package org.buftrail.profile.otlp.write;

import java.util.Arrays;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.buftrail.profile.protobuf.WireType;

/**
 * Encodes sets of attributes where messages have them. Samples and locations have few sets and name
 * them often: small ones are kept as they are encoded.
 */
final class AttributeSetEncoder {
  /** A small set takes no more bytes, with its tag and length. */
  static final int SMALL = 2 * Long.BYTES;

  private static final int VARINT = 10;

  /** Sets that are kept. */
  private static final int KEPT = 256;

  /** In place of the length of a set that is not small. */
  private static final byte LARGE = -1;

  private final ProtobufEncoder encoder;
  private final UsedEntries used;
  private final byte tag;
  private int[] indices = new int[128];

  // By the low bits of its index, which set is kept, how many bytes it has, and these.
  private final int[] kept = new int[KEPT];
  private final byte[] lengths = new byte[KEPT];
  private final byte[] bytes = new byte[KEPT * SMALL];
  private final byte[] scratch = new byte[SMALL + VARINT];

  /**
   * @param field that {@link #putSmall} writes, below 16
   */
  AttributeSetEncoder(ProtobufEncoder encoder, UsedEntries used, int field) {
    this.encoder = encoder;
    this.used = used;
    this.tag = WireType.tag(field, WireType.LENGTH);
  }

  /** Begins a message, in which the used attributes have other numbers than in the one before. */
  void begin() {
    Arrays.fill(kept, 0);
  }

  /** An upper bound of what {@link #encode} writes. */
  static long room(int set, Dictionary dictionary) {
    return 2L * VARINT + dictionary.attributeSets().length(set) * (long) VARINT;
  }

  /** Encodes a set of attributes as a packed field; nothing if it is empty. */
  void encode(int field, int set, Dictionary dictionary) {
    AttributeSetTable sets = dictionary.attributeSets();
    int length = sets.length(set);
    if (indices.length < length) {
      indices = new int[length * 2];
    }
    for (int k = 0; k < length; k++) {
      indices[k] = used.attributes.of(sets.attribute(set, k));
    }
    encoder.writePacked(field, indices, 0, length);
  }

  /**
   * Puts a set as a packed field into an array, if it is small; nothing if it is empty.
   *
   * @param target has room for {@value #SMALL} bytes more, which may be overwritten
   * @return the position behind it, or -1 if it is not small
   */
  int putSmall(byte[] target, int at, int set, Dictionary dictionary) {
    if (set == 0) {
      return at;
    }
    int place = set & (KEPT - 1);
    if (kept[place] != set) {
      keep(place, set, dictionary.attributeSets());
    }
    int length = lengths[place];
    if (length == LARGE) {
      return -1;
    }
    System.arraycopy(bytes, place * SMALL, target, at, SMALL);
    return at + length;
  }

  private void keep(int place, int set, AttributeSetTable sets) {
    int end = 2;
    for (int k = 0; k < sets.length(set) && end <= SMALL; k++) {
      end = ProtobufEncoder.put(scratch, end, used.attributes.of(sets.attribute(set, k)));
    }
    kept[place] = set;
    if (end > SMALL) {
      lengths[place] = LARGE;
      return;
    }
    scratch[0] = tag;
    scratch[1] = (byte) (end - 2);
    System.arraycopy(scratch, 0, bytes, place * SMALL, end);
    lengths[place] = (byte) end;
  }
}
