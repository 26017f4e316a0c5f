package org.buftrail.profile.otlp;

import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/** Encodes sets of attributes where messages have them. */
final class AttributeSetEncoder {
  private static final int VARINT = 10;

  private final ProtobufEncoder encoder;
  private final UsedEntries used;
  private int[] indices = new int[128];

  AttributeSetEncoder(ProtobufEncoder encoder, UsedEntries used) {
    this.encoder = encoder;
    this.used = used;
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
}
