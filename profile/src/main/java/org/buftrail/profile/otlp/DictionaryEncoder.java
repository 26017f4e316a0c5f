package org.buftrail.profile.otlp;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.LinkTable;
import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the used entries of all tables. {@code ProfilesDictionary}.
 *
 * <p>Stacks, locations and functions are most of a message. When there are many and a second
 * processor, another thread encodes them, beside what the caller encodes: numbers have been given
 * by then, and neither changes what the other reads. Whoever is through first takes the next.
 */
final class DictionaryEncoder {
  private static final int FIELD = 32;

  /** With fewer stacks and fewer locations than that, a second thread is not worth it. */
  private static final int LEAST_STACKS = 1024;

  private static final int LEAST_LOCATIONS = 4096;

  /** Many stacks are encoded in so many parts, so that neither thread waits long for the other. */
  private static final int SLICES = 4;

  private final boolean parallel;
  private final ProtobufEncoder message;

  // What lies between the functions and the stacks.
  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;
  private final List<StackEncoder> stacks = new ArrayList<>();
  private final LocationEncoder locations;
  private final FunctionEncoder functions;
  private @Nullable Parts parts;
  private @Nullable ForkJoinTask<?> helper;

  /**
   * @param message what the tables become a part of
   * @param parallel whether there may be another thread
   */
  DictionaryEncoder(ProtobufEncoder message, UsedEntries used, boolean parallel) {
    this.message = message;
    this.used = used;
    this.locations = new LocationEncoder(used);
    this.functions = new FunctionEncoder(used);
    this.parallel = parallel && Runtime.getRuntime().availableProcessors() > 1;
  }

  /**
   * What two threads encode, claimed by one counter. Belongs to one message: a thread that comes
   * late finds nothing to do.
   */
  private final class Parts {
    private final Dictionary dictionary;
    private final int slices;
    private final int count;
    private final AtomicInteger claimed = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();

    Parts(Dictionary dictionary, int slices) {
      this.dictionary = dictionary;
      this.slices = slices;
      this.count = slices + 2;
    }

    void encodeAll() {
      for (int part = claimed.getAndIncrement(); part < count; part = claimed.getAndIncrement()) {
        encode(part);
        finished.getAndIncrement();
      }
    }

    private void encode(int part) {
      if (part == 0) {
        locations.encode(dictionary);
      } else if (part <= slices) {
        encodeSlice(part - 1);
      } else {
        functions.encode(dictionary.functions());
      }
    }

    private void encodeSlice(int slice) {
      StackTable table = dictionary.stacks();
      long size = table.size();
      int first = (int) (size * slice / slices);
      int end = (int) (size * (slice + 1) / slices);
      stacks.get(slice).encode(table, first, end);
    }

    /** Whether all that has been claimed is finished; nothing can be claimed any more. */
    boolean isStopped() {
      return finished.get() == Math.min(claimed.getAndSet(count), count);
    }
  }

  /** Prepares for a dictionary whose used entries have been numbered. */
  void begin(Dictionary dictionary) {
    boolean hasManyStacks = dictionary.stacks().size() >= LEAST_STACKS;
    boolean isShared =
        parallel && (hasManyStacks || dictionary.locations().size() >= LEAST_LOCATIONS);
    Parts shared = new Parts(dictionary, isShared && hasManyStacks ? SLICES : 1);
    while (stacks.size() < shared.slices) {
      stacks.add(new StackEncoder(used));
    }
    parts = shared;
    helper = isShared ? ForkJoinPool.commonPool().submit(() -> shared.encodeAll()) : null;
  }

  /** Leaves nothing behind that another thread still works on. */
  void end() {
    ForkJoinTask<?> begun = helper;
    Parts shared = parts;
    helper = null;
    parts = null;
    // It is not left in the queue, and waited for only if it has begun.
    if (begun != null && !begun.tryUnfork() && shared != null && !shared.isStopped()) {
      begun.quietlyJoin();
    }
  }

  void encode(Dictionary dictionary, int field) {
    encoder.clear();
    encodeLinks(dictionary.links());
    encodeStrings(dictionary);
    encodeAttributes(dictionary);
    Parts shared = Objects.requireNonNull(parts, "begin");
    shared.encodeAll();
    if (helper != null && !shared.isStopped()) {
      // What failed there fails here.
      helper.join();
    }
    int mark = message.open(field, Long.MAX_VALUE);
    message.attach(locations.encoded());
    message.attach(functions.encoded());
    message.attach(encoder);
    for (int i = 0; i < shared.slices; i++) {
      message.attach(stacks.get(i).encoded());
    }
    message.close(mark);
  }

  /** The zero value of a table: an empty message. */
  private void zero(int field) {
    encoder.close(encoder.open(field, 0));
  }

  private void encodeLinks(LinkTable table) {
    byte[] trace = new byte[2 * Long.BYTES];
    byte[] span = new byte[Long.BYTES];
    zero(OtlpFields.ProfilesDictionary.LINK_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.links.isUsed(i)) {
        putBigEndian(trace, 0, table.traceHigh(i));
        putBigEndian(trace, Long.BYTES, table.traceLow(i));
        putBigEndian(span, 0, table.span(i));
        int mark = encoder.open(OtlpFields.ProfilesDictionary.LINK_TABLE, 2 * FIELD);
        encoder.writeBytes(OtlpFields.Link.TRACE_ID, trace, 0, trace.length);
        encoder.writeBytes(OtlpFields.Link.SPAN_ID, span, 0, span.length);
        encoder.close(mark);
      }
    }
  }

  private static void putBigEndian(byte[] target, int at, long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      target[at + i] = (byte) (value >>> (56 - 8 * i));
    }
  }

  private void encodeStrings(Dictionary dictionary) {
    zero(OtlpFields.ProfilesDictionary.STRING_TABLE);
    for (int i = 1; i < dictionary.strings().size(); i++) {
      if (used.strings.isUsed(i)) {
        encoder.writeString(OtlpFields.ProfilesDictionary.STRING_TABLE, dictionary.strings(), i);
      }
    }
  }

  private void encodeAttributes(Dictionary dictionary) {
    AttributeTable table = dictionary.attributes();
    zero(OtlpFields.ProfilesDictionary.ATTRIBUTE_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.attributes.isUsed(i)) {
        long room = 5 * FIELD;
        if (table.kind(i) == AttributeTable.Kind.STRING) {
          room += dictionary.strings().byteLength(table.stringValue(i));
        }
        int mark = encoder.open(OtlpFields.ProfilesDictionary.ATTRIBUTE_TABLE, room);
        number(OtlpFields.KeyValueAndUnit.KEY_STRINDEX, used.strings.of(table.key(i)));
        int value = encoder.open(OtlpFields.KeyValueAndUnit.VALUE, room - 2 * FIELD);
        encodeValue(table, i, dictionary);
        encoder.close(value);
        number(OtlpFields.KeyValueAndUnit.UNIT_STRINDEX, used.strings.of(table.unit(i)));
        encoder.close(mark);
      }
    }
  }

  private void encodeValue(AttributeTable table, int attribute, Dictionary dictionary) {
    switch (table.kind(attribute)) {
      case STRING:
        encoder.writeString(
            OtlpFields.AnyValue.STRING_VALUE, dictionary.strings(), table.stringValue(attribute));
        break;
      case BOOLEAN:
        encoder.writeVarint(OtlpFields.AnyValue.BOOL_VALUE, table.booleanValue(attribute) ? 1 : 0);
        break;
      case LONG:
        encoder.writeVarint(OtlpFields.AnyValue.INT_VALUE, table.longValue(attribute));
        break;
      case DOUBLE:
        encoder.writeDouble(OtlpFields.AnyValue.DOUBLE_VALUE, table.doubleValue(attribute));
        break;
      default:
        break;
    }
  }

  private void number(int field, long value) {
    if (value != 0) {
      encoder.writeVarint(field, value);
    }
  }
}
