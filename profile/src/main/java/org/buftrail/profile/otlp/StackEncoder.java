package org.buftrail.profile.otlp;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the used stacks, which are most of a message. When there are many of them and a second
 * processor, another thread does it, beside what the caller encodes: numbers have been given by
 * then, and neither changes what the other reads.
 */
final class StackEncoder {
  private static final int VARINT = 10;
  private static final int HEADER = 32;

  /** Fewer stacks than that are not worth a second thread. */
  private static final int LEAST_SHARED = 1024;

  private final boolean parallel;
  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;
  private int[] indices = new int[128];
  private @Nullable ForkJoinTask<?> task;

  /**
   * @param parallel whether there may be another thread
   */
  StackEncoder(UsedEntries used, boolean parallel) {
    this.used = used;
    this.parallel = parallel && Runtime.getRuntime().availableProcessors() > 1;
  }

  /** Encodes the stacks of a table, or has another thread begin with it. */
  void begin(StackTable table) {
    encoder.clear();
    if (parallel && table.size() >= LEAST_SHARED) {
      task = ForkJoinPool.commonPool().submit(() -> encode(table));
    } else {
      encode(table);
    }
  }

  /** The encoded stacks; what failed in the other thread fails here. */
  ProtobufEncoder encoded() {
    ForkJoinTask<?> begun = task;
    if (begun != null) {
      begun.join();
    }
    return encoder;
  }

  /** Waits until the other thread has come to its end, however it does. */
  void end() {
    ForkJoinTask<?> begun = task;
    if (begun != null) {
      begun.quietlyJoin();
      task = null;
    }
  }

  private void encode(StackTable table) {
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
