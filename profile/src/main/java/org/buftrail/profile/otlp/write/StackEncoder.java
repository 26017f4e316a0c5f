package org.buftrail.profile.otlp.write;

import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.otlp.schema.OtlpFields;
import org.buftrail.profile.protobuf.ProtobufEncoder;

/** Encodes used stacks, into a part of the message of their own. */
final class StackEncoder {
  private static final int VARINT = 10;
  private static final int HEADER = 32;

  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;
  private final StackRun run;

  StackEncoder(UsedEntries used) {
    this.used = used;
    this.run = new StackRun(used.stacks);
  }

  /** The last one encoded. */
  ProtobufEncoder encoded() {
    return encoder;
  }

  /**
   * Encodes those stacks of a range that are used.
   *
   * @param first the first stack; 0 for the empty one, which every table begins with
   * @param end behind the last stack
   */
  void encode(StackTable table, int first, int end) {
    encoder.clear();
    if (first == 0) {
      encoder.close(encoder.open(OtlpFields.ProfilesDictionary.STACK_TABLE, 0));
    }
    run.begin(Math.max(1, first), end);
    while (run.next(table)) {
      int[] locations = run.locations();
      used.locations.replace(locations, run.frames());
      int at = 0;
      for (int i = run.from(); i < run.to(); i++) {
        int depth = table.depth(i);
        encodeStack(locations, at, depth);
        at += depth;
      }
    }
  }

  private void encodeStack(int[] locations, int from, int depth) {
    long room = HEADER + depth * (long) VARINT;
    int mark = encoder.open(OtlpFields.ProfilesDictionary.STACK_TABLE, room);
    encoder.writePacked(OtlpFields.Stack.LOCATION_INDICES, locations, from, from + depth);
    encoder.close(mark);
  }
}
