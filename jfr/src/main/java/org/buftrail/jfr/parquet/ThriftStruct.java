package org.buftrail.jfr.parquet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A structure as {@link CompactThrift} writes it, with its fields by number. */
final class ThriftStruct {
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int STRUCT = 12;

  /** Parquet's metadata has fewer levels. */
  private static final int DEEPEST = 16;

  private static final int LONG_LIST = 15;

  private final Map<Integer, Object> fields = new HashMap<>();

  private ThriftStruct() {}

  static ThriftStruct read(PageInput in) throws DamagedParquetException {
    return read(in, 0);
  }

  private static ThriftStruct read(PageInput in, int depth) throws DamagedParquetException {
    ThriftStruct read = new ThriftStruct();
    int id = 0;
    for (int header = in.one(); header != 0; header = in.one()) {
      int step = header >>> 4;
      id = step == 0 ? (int) in.signed() : id + step;
      int type = header & 0xf;
      read.fields.put(
          id, type == TRUE || type == FALSE ? (Object) (type == TRUE) : value(type, in, depth));
    }
    return read;
  }

  private static Object value(int type, PageInput in, int depth) throws DamagedParquetException {
    if (depth > DEEPEST) {
      throw new DamagedParquetException("its metadata is too deep");
    }
    return switch (type) {
      case TRUE, FALSE, BYTE -> (long) in.one();
      case I16, I32, I64 -> in.signed();
      case DOUBLE -> in.long8();
      case BINARY -> in.copy(PageInput.below(in.unsigned(), in.left()));
      case LIST, SET -> list(in, depth + 1);
      case STRUCT -> read(in, depth + 1);
      default -> throw new DamagedParquetException("its metadata has an unknown type");
    };
  }

  private static List<Object> list(PageInput in, int depth) throws DamagedParquetException {
    int header = in.one();
    int size = header >>> 4;
    if (size == LONG_LIST) {
      size = PageInput.below(in.unsigned(), in.left());
    }
    List<Object> list = new ArrayList<>(Math.min(size, 1 << 10));
    for (int i = 0; i < size; i++) {
      list.add(value(header & 0xf, in, depth));
    }
    return list;
  }

  private <T> T field(int id, Class<T> type) throws DamagedParquetException {
    Object value = fields.get(id);
    if (!type.isInstance(value)) {
      throw new DamagedParquetException("its metadata lacks field " + id);
    }
    return type.cast(value);
  }

  boolean has(int id) {
    return fields.containsKey(id);
  }

  long number(int id) throws DamagedParquetException {
    return field(id, Long.class);
  }

  /** A number from 0 to the largest. */
  int number(int id, int largest) throws DamagedParquetException {
    return PageInput.below(number(id), largest);
  }

  byte @Nullable [] bytes(int id) throws DamagedParquetException {
    return has(id) ? field(id, byte[].class) : null;
  }

  ThriftStruct struct(int id) throws DamagedParquetException {
    return field(id, ThriftStruct.class);
  }

  List<ThriftStruct> structs(int id) throws DamagedParquetException {
    return list(id, ThriftStruct.class);
  }

  <T> List<T> list(int id, Class<T> type) throws DamagedParquetException {
    List<T> list = new ArrayList<>();
    for (Object each : field(id, List.class)) {
      if (!type.isInstance(each)) {
        throw new DamagedParquetException("its metadata lacks field " + id);
      }
      list.add(type.cast(each));
    }
    return list;
  }
}
