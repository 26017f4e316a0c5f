package org.buftrail.spark;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Columns that directories such as {@code dt=2026-11-20} stand for, as in Spark's own sources:
 * whole numbers, dates and texts. A directory with the name of a column of the table is none.
 *
 * @param schema the columns; none if no directory is named so
 */
record DirectoryColumns(StructType schema) {
  private static final String NULL = "__HIVE_DEFAULT_PARTITION__";

  /** A recording, and the path below which its directories count. */
  record Found(FileStatus file, Path base) {}

  /**
   * Finds the columns.
   *
   * @param taken names of the table's own columns
   * @param isTyped whether columns may be of something else than texts
   * @throws IllegalArgumentException if directories disagree
   */
  static DirectoryColumns of(List<Found> files, Set<String> taken, boolean isTyped) {
    List<String> names = new ArrayList<>();
    List<Set<String>> values = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      List<String[]> pairs = pairs(files.get(i), taken);
      List<String> here = pairs.stream().map(pair -> pair[0]).toList();
      if (i == 0) {
        names.addAll(here);
        here.forEach(name -> values.add(new TreeSet<>()));
      } else if (!here.equals(names)) {
        throw new IllegalArgumentException(
            "directories disagree about columns: "
                + names
                + " and "
                + here
                + " of "
                + files.get(i).file.getPath()
                + "; read them apart, or with option recursiveFileLookup=true without these"
                + " columns");
      }
      for (int k = 0; k < pairs.size(); k++) {
        values.get(k).add(pairs.get(k)[1]);
      }
    }
    StructType schema = new StructType();
    for (int k = 0; k < names.size(); k++) {
      schema = schema.add(names.get(k), isTyped ? type(values.get(k)) : DataTypes.StringType);
    }
    return new DirectoryColumns(schema);
  }

  private static List<String[]> pairs(Found found, Set<String> taken) {
    List<String[]> pairs = new ArrayList<>();
    String below = relative(found);
    for (String part : below.split("/", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0 && !taken.contains(part.substring(0, equals).toLowerCase(Locale.ROOT))) {
        pairs.add(new String[] {part.substring(0, equals), decoded(part.substring(equals + 1))});
      }
    }
    return pairs;
  }

  /** The directories below the base, without the file. */
  private static String relative(Found found) {
    URI base = URI.create(found.base.toUri().toString() + "/");
    Path parent = found.file.getPath().getParent();
    return parent == null ? "" : base.relativize(parent.toUri()).getPath();
  }

  /** Without {@code %3A} and the like. */
  private static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] out = new byte[bytes.length];
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      int value = bytes[i] == '%' && i + 2 < bytes.length ? hex(bytes[i + 1], bytes[i + 2]) : -1;
      out[length++] = value < 0 ? bytes[i] : (byte) value;
      i += value < 0 ? 0 : 2;
    }
    return new String(out, 0, length, StandardCharsets.UTF_8);
  }

  private static int hex(byte high, byte low) {
    int a = Character.digit(high, 16);
    int b = Character.digit(low, 16);
    return a < 0 || b < 0 ? -1 : a << 4 | b;
  }

  private static DataType type(Set<String> values) {
    for (DataType type : List.of(DataTypes.IntegerType, DataTypes.LongType, DataTypes.DateType)) {
      if (values.stream().allMatch(text -> text.equals(NULL) || internal(text, type) != null)) {
        return values.stream().allMatch(NULL::equals) ? DataTypes.StringType : type;
      }
    }
    return DataTypes.StringType;
  }

  /** A value as Spark keeps it; null for none, or one that is none of that type. */
  private static @Nullable Object internal(String text, DataType type) {
    if (text.equals(NULL)) {
      return null;
    }
    try {
      if (type.equals(DataTypes.IntegerType)) {
        return Integer.valueOf(text);
      } else if (type.equals(DataTypes.LongType)) {
        return Long.valueOf(text);
      } else if (type.equals(DataTypes.DateType)) {
        return Math.toIntExact(LocalDate.parse(text).toEpochDay());
      }
      return UTF8String.fromString(text);
    } catch (NumberFormatException | DateTimeParseException | ArithmeticException e) {
      return null;
    }
  }

  /** The values of a recording, as Spark keeps them, in the order of the columns. */
  List<@Nullable Object> values(Found found, Set<String> taken) {
    List<@Nullable Object> values = new ArrayList<>();
    List<String[]> pairs = pairs(found, taken);
    for (int i = 0; i < schema.size(); i++) {
      // A recording may have come since the columns were found.
      String name = schema.fields()[i].name();
      DataType type = schema.fields()[i].dataType();
      values.add(
          pairs.stream()
              .filter(pair -> pair[0].equals(name))
              .map(pair -> internal(pair[1], type))
              .findFirst()
              .orElse(null));
    }
    return Collections.unmodifiableList(values);
  }

  /** Whether rows with such values may pass filters; what is not understood lets all pass. */
  boolean mayPass(List<@Nullable Object> values, List<Filter> filters) {
    return filters.stream().allMatch(filter -> mayPass(values, filter));
  }

  private boolean mayPass(List<@Nullable Object> values, Filter filter) {
    if (filter instanceof And and) {
      return mayPass(values, and.left()) && mayPass(values, and.right());
    } else if (filter instanceof Or or) {
      return mayPass(values, or.left()) || mayPass(values, or.right());
    } else if (filter instanceof EqualTo equal) {
      return compares(values, equal.attribute(), equal.value(), order -> order == 0);
    } else if (filter instanceof GreaterThan more) {
      return compares(values, more.attribute(), more.value(), order -> order > 0);
    } else if (filter instanceof GreaterThanOrEqual more) {
      return compares(values, more.attribute(), more.value(), order -> order >= 0);
    } else if (filter instanceof LessThan less) {
      return compares(values, less.attribute(), less.value(), order -> order < 0);
    } else if (filter instanceof LessThanOrEqual less) {
      return compares(values, less.attribute(), less.value(), order -> order <= 0);
    } else if (filter instanceof In in) {
      for (Object value : in.values()) {
        if (compares(values, in.attribute(), value, order -> order == 0)) {
          return true;
        }
      }
      return false;
    }
    return true;
  }

  @SuppressWarnings("unchecked") // The two are of one class.
  private boolean compares(
      List<@Nullable Object> values, String column, @Nullable Object with, IntPredicate passes) {
    int at = schema.getFieldIndex(column).isDefined() ? schema.fieldIndex(column) : -1;
    Object value = at < 0 ? null : values.get(at);
    Object other = at < 0 ? null : CatalystTypeConverters.convertToCatalyst(with);
    if (at < 0 || (value != null && other != null && value.getClass() != other.getClass())) {
      return true;
    }
    // Nothing compares with null.
    return value != null
        && other != null
        && passes.test(((Comparable<Object>) value).compareTo(other));
  }
}
