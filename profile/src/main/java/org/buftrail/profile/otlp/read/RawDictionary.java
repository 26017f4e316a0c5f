package org.buftrail.profile.otlp.read;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The dictionary as it was received: every index and every entry unchecked. */
public final class RawDictionary {
  public boolean present;
  public final List<byte[]> strings = new ArrayList<>();
  public final Mappings mappings = new Mappings();
  public final Locations locations = new Locations();
  public final Functions functions = new Functions();
  public final Links links = new Links();
  public final Attributes attributes = new Attributes();
  public final Stacks stacks = new Stacks();

  /** {@code Mapping}. */
  public static final class Mappings {
    public final LongList start = new LongList();
    public final LongList limit = new LongList();
    public final LongList fileOffset = new LongList();
    public final IntList fileName = new IntList();
    public final IntList attributes = new IntList();
    public final Rows attributeRows = new Rows();

    public int size() {
      return start.size();
    }
  }

  /** {@code Location} and its {@code Line}s. */
  public static final class Locations {
    public final IntList mapping = new IntList();
    public final LongList address = new LongList();
    public final IntList lineFunction = new IntList();
    public final LongList lineNumber = new LongList();
    public final LongList lineColumn = new LongList();
    public final Rows lineRows = new Rows();
    public final IntList attributes = new IntList();
    public final Rows attributeRows = new Rows();

    public int size() {
      return mapping.size();
    }
  }

  public static final class Functions {
    public final IntList name = new IntList();
    public final IntList systemName = new IntList();
    public final IntList fileName = new IntList();
    public final LongList startLine = new LongList();

    public int size() {
      return name.size();
    }
  }

  public static final class Links {
    public final List<byte[]> trace = new ArrayList<>();
    public final List<byte[]> span = new ArrayList<>();

    public int size() {
      return trace.size();
    }
  }

  /** {@code KeyValueAndUnit}. */
  public static final class Attributes {
    public final IntList key = new IntList();
    public final List<@Nullable Object> value = new ArrayList<>();
    public final IntList unit = new IntList();

    public int size() {
      return key.size();
    }
  }

  public static final class Stacks {
    public final IntList locations = new IntList();
    public final Rows rows = new Rows();

    public int size() {
      return rows.size();
    }
  }

  /** A text value that stands in the string table. {@code AnyValue.string_value_strindex}. */
  public static final class StringReference {
    public final int index;

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
