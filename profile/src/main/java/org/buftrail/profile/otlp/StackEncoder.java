package org.buftrail.profile.otlp;

import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/** Encodes the used stacks, into a part of the message of their own. */
final class StackEncoder {
  private static final int VARINT = 10;
  private static final int HEADER = 32;

  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;
  private int[] indices = new int[128];

  StackEncoder(UsedEntries used) {
    this.used = used;
  }

  /** What was encoded last. */
  ProtobufEncoder encoded() {
    return encoder;
  }

  /** Encodes the used stacks of a table. */
  void encode(StackTable table) {
    encoder.clear();
    // The zero value of a table is an empty message.
    encoder.close(encoder.open(OtlpFields.ProfilesDictionary.STACK_TABLE, 0));
    for (int i = 1; i < table.size(); i++) {
      if (used.stacks.isUsed(i)) {
        encode(table, i);
      }
    }
  }

  private void encode(StackTable table, int stack) {
    int depth = table.depth(stack);
    if (indices.length < depth) {
      indices = new int[depth * 2];
    }
    table.copy(stack, indices);
    for (int k = 0; k < depth; k++) {
      indices[k] = used.locations.of(indices[k]);
    }
    long room = HEADER + depth * (long) VARINT;
    int mark = encoder.open(OtlpFields.ProfilesDictionary.STACK_TABLE, room);
    encoder.writePacked(OtlpFields.Stack.LOCATION_INDICES, indices, 0, depth);
    encoder.close(mark);
  }
}
