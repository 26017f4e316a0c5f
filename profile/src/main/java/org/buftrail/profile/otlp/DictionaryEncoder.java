package org.buftrail.profile.otlp;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FunctionTable;
import org.buftrail.profile.dictionary.LinkTable;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the used entries of all tables. {@code ProfilesDictionary}.
 *
 * <p>Stacks and locations are most of a message. When there are many and a second processor,
 * another thread encodes them, beside what the caller encodes: numbers have been given by then, and
 * neither changes what the other reads.
 */
final class DictionaryEncoder {
  private static final int FIELD = 32;

  /** With fewer stacks and fewer locations than that, a second thread is not worth it. */
  private static final int LEAST_STACKS = 1024;

  private static final int LEAST_LOCATIONS = 4096;

  private final boolean parallel;
  private final ProtobufEncoder message;

  // What lies between the locations and the stacks.
  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final UsedEntries used;
  private final StackEncoder stacks;
  private final LocationEncoder locations;
  private @Nullable ForkJoinTask<?> stackTask;
  private @Nullable ForkJoinTask<?> locationTask;

  /**
   * @param message what the tables become a part of
   * @param parallel whether there may be another thread
   */
  DictionaryEncoder(ProtobufEncoder message, UsedEntries used, boolean parallel) {
    this.message = message;
    this.used = used;
    this.stacks = new StackEncoder(used);
    this.locations = new LocationEncoder(used);
    this.parallel = parallel && Runtime.getRuntime().availableProcessors() > 1;
  }

  /** Prepares for a dictionary whose used entries have been numbered. */
  void begin(Dictionary dictionary) {
    StackTable stackTable = dictionary.stacks();
    LocationTable locationTable = dictionary.locations();
    if (parallel
        && (stackTable.size() >= LEAST_STACKS || locationTable.size() >= LEAST_LOCATIONS)) {
      ForkJoinPool pool = ForkJoinPool.commonPool();
      stackTask = pool.submit(() -> stacks.encode(stackTable));
      // Joined first: what was submitted last is what the caller can take back.
      locationTask = pool.submit(() -> locations.encode(dictionary));
    } else {
      stacks.encode(stackTable);
      locations.encode(dictionary);
    }
  }

  /** Leaves nothing behind that another thread still works on. */
  void end() {
    ForkJoinTask<?> begunLocations = locationTask;
    ForkJoinTask<?> begunStacks = stackTask;
    locationTask = null;
    stackTask = null;
    if (begunLocations != null) {
      begunLocations.quietlyJoin();
    }
    if (begunStacks != null) {
      begunStacks.quietlyJoin();
    }
  }

  void encode(Dictionary dictionary, int field) {
    encoder.clear();
    encodeFunctions(dictionary.functions());
    encodeLinks(dictionary.links());
    encodeStrings(dictionary);
    encodeAttributes(dictionary);
    int mark = message.open(field, Long.MAX_VALUE);
    attach(locationTask, locations.encoded());
    message.attach(encoder);
    attach(stackTask, stacks.encoded());
    message.close(mark);
  }

  /** Adds what perhaps another thread has encoded; what failed there fails here. */
  private void attach(@Nullable ForkJoinTask<?> task, ProtobufEncoder encoded) {
    if (task != null) {
      task.join();
    }
    message.attach(encoded);
  }

  /** The zero value of a table: an empty message. */
  private void zero(int field) {
    encoder.close(encoder.open(field, 0));
  }

  private void encodeFunctions(FunctionTable table) {
    zero(OtlpFields.ProfilesDictionary.FUNCTION_TABLE);
    for (int i = 1; i < table.size(); i++) {
      if (used.functions.isUsed(i)) {
        int mark = encoder.open(OtlpFields.ProfilesDictionary.FUNCTION_TABLE, 4 * FIELD);
        number(OtlpFields.Function.NAME_STRINDEX, used.strings.of(table.name(i)));
        number(OtlpFields.Function.SYSTEM_NAME_STRINDEX, used.strings.of(table.systemName(i)));
        number(OtlpFields.Function.FILENAME_STRINDEX, used.strings.of(table.fileName(i)));
        number(OtlpFields.Function.START_LINE, table.startLine(i));
        encoder.close(mark);
      }
    }
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
