package org.buftrail.profile.otlp.write;

import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.otlp.OtlpFields;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.buftrail.profile.protobuf.WireType;

/** Encodes used stacks, into a part of the message of their own. */
final class StackEncoder {
  private static final int VARINT = 10;
  private static final int HEADER = 32;

  /** Indices below this take two bytes at most. */
  private static final int TWO_BYTES = 1 << 14;

  /** Stacks of no more bytes are encoded in local variables. */
  private static final int LARGEST_PLAIN = 2048;

  /** A message of no more bytes has a length of one byte. */
  private static final int MOST_IN_ONE = 127;

  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;
  private final StackRun run;

  StackEncoder(UsedEntries used) {
    this.used = used;
    this.run = new StackRun(used.stacks);
  }

  /** What was encoded last. */
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
    boolean isShort = used.locations.count() <= TWO_BYTES;
    run.begin(Math.max(1, first), end);
    while (run.next(table)) {
      int[] locations = run.locations();
      used.locations.replace(locations, run.frames());
      int at = 0;
      for (int i = run.from(); i < run.to(); i++) {
        int depth = table.depth(i);
        if (isShort && depth <= LARGEST_PLAIN / 2) {
          encodeShort(locations, at, depth);
        } else {
          encodeAny(locations, at, depth);
        }
        at += depth;
      }
    }
  }

  /** Encodes a stack whose indices take two bytes at most: such as nearly all recordings have. */
  private void encodeShort(int[] locations, int from, int depth) {
    byte[] target = encoder.reserve(2 * depth + HEADER);
    int start = encoder.position();
    // Lengths stand before what they are of. Up to 62 frames, both take one byte.
    boolean isSmall = 2 * depth + 2 <= MOST_IN_ONE;
    int packed = isSmall ? 2 * depth : bytes(locations, from, depth);
    int content = 1 + ProtobufEncoder.varintSize(packed) + packed;
    int contentStart = start + 1 + ProtobufEncoder.varintSize(content);
    int packedStart = contentStart + content - packed;
    int at = packedStart;
    for (int i = from; i < from + depth; i++) {
      // One byte or two, of which the second may be overwritten by the next.
      int index = locations[i];
      int isLong = (0x7F - index) >>> (Integer.SIZE - 1);
      target[at] = (byte) (index | isLong << 7);
      target[at + 1] = (byte) (index >>> 7);
      at += 1 + isLong;
    }
    target[start] = WireType.tag(OtlpFields.ProfilesDictionary.STACK_TABLE, WireType.LENGTH);
    ProtobufEncoder.put(target, start + 1, at - contentStart);
    target[contentStart] = WireType.tag(OtlpFields.Stack.LOCATION_INDICES, WireType.LENGTH);
    ProtobufEncoder.put(target, contentStart + 1, at - packedStart);
    encoder.advance(at);
  }

  /** How many bytes indices take together, each one or two. */
  private static int bytes(int[] locations, int from, int count) {
    int sum = count;
    for (int i = from; i < from + count; i++) {
      sum += (0x7F - locations[i]) >>> (Integer.SIZE - 1);
    }
    return sum;
  }

  private void encodeAny(int[] locations, int from, int depth) {
    long room = HEADER + depth * (long) VARINT;
    int mark = encoder.open(OtlpFields.ProfilesDictionary.STACK_TABLE, room);
    encoder.writePacked(OtlpFields.Stack.LOCATION_INDICES, locations, from, from + depth);
    encoder.close(mark);
  }
}
