package org.buftrail.profile.otlp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The dictionary as it was received: every index and every entry unchecked. */
final class RawDictionary {
  boolean present;
  final List<byte[]> strings = new ArrayList<>();
  final Mappings mappings = new Mappings();
  final Locations locations = new Locations();
  final Functions functions = new Functions();
  final Links links = new Links();
  final Attributes attributes = new Attributes();
  final Stacks stacks = new Stacks();

  /** {@code Mapping}. */
  static final class Mappings {
    final LongList start = new LongList();
    final LongList limit = new LongList();
    final LongList fileOffset = new LongList();
    final IntList fileName = new IntList();
    final IntList attributes = new IntList();
    final Rows attributeRows = new Rows();

    int size() {
      return start.size();
    }
  }

  /** {@code Location} and its {@code Line}s. */
  static final class Locations {
    final IntList mapping = new IntList();
    final LongList address = new LongList();
    final IntList lineFunction = new IntList();
    final LongList lineNumber = new LongList();
    final LongList lineColumn = new LongList();
    final Rows lineRows = new Rows();
    final IntList attributes = new IntList();
    final Rows attributeRows = new Rows();

    int size() {
      return mapping.size();
    }
  }

  /** {@code Function}. */
  static final class Functions {
    final IntList name = new IntList();
    final IntList systemName = new IntList();
    final IntList fileName = new IntList();
    final LongList startLine = new LongList();

    int size() {
      return name.size();
    }
  }

  /** {@code Link}. */
  static final class Links {
    final List<byte[]> trace = new ArrayList<>();
    final List<byte[]> span = new ArrayList<>();

    int size() {
      return trace.size();
    }
  }

  /** {@code KeyValueAndUnit}. */
  static final class Attributes {
    final IntList key = new IntList();
    final List<@Nullable Object> value = new ArrayList<>();
    final IntList unit = new IntList();

    int size() {
      return key.size();
    }
  }

  /** {@code Stack}. */
  static final class Stacks {
    final IntList locations = new IntList();
    final Rows rows = new Rows();

    int size() {
      return rows.size();
    }
  }

  /** A text value that stands in the string table. {@code AnyValue.string_value_strindex}. */
  static final class StringReference {
    final int index;

    StringReference(int index) {
      this.index = index;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof StringReference && ((StringReference) other).index == index;
    }

    @Override
    public int hashCode() {
      return index;
    }
  }
}
