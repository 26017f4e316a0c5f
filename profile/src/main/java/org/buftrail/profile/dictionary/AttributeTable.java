package org.buftrail.profile.dictionary;

/**
 * Attributes: a key, a value and a unit. {@code ProfilesDictionary.attribute_table}. 16 bytes an
 * entry and 6 to 12 bytes for its slot.
 */
public final class AttributeTable {
  /** The type of an attribute's value. */
  public enum Kind {
    /** No value; only the zero attribute. */
    NONE,
    /** {@code AnyValue.string_value}. */
    STRING,
    /** {@code AnyValue.bool_value}. */
    BOOLEAN,
    /** {@code AnyValue.int_value}. */
    LONG,
    /** {@code AnyValue.double_value}. */
    DOUBLE
  }

  // As the fields of AnyValue are numbered.
  private static final int STRING = 1;
  private static final int BOOLEAN = 2;
  private static final int LONG = 3;
  private static final int DOUBLE = 4;
  private static final Kind[] KINDS = {
    Kind.NONE, Kind.STRING, Kind.BOOLEAN, Kind.LONG, Kind.DOUBLE
  };

  private final StringTable strings;
  private final Longs longs;
  // key, kind, value, unit
  private final Quads records = new Quads();

  AttributeTable(StringTable strings, Longs longs) {
    this.strings = strings;
    this.longs = longs;
  }

  /** Number of attributes, the zero one included. */
  public int size() {
    return records.size();
  }

  /** The index of a text attribute; new ones are added. */
  public int intern(String key, String value) {
    return internString(strings.intern(key), strings.intern(value));
  }

  /** The index of an integer attribute; new ones are added. */
  public int intern(String key, long value, String unit) {
    return internLong(strings.intern(key), value, strings.intern(unit));
  }

  /** The index of a floating-point attribute; new ones are added. */
  public int intern(String key, double value, String unit) {
    return internDouble(strings.intern(key), value, strings.intern(unit));
  }

  /** The index of a truth attribute; new ones are added. */
  public int intern(String key, boolean value) {
    return internBoolean(strings.intern(key), value);
  }

  /**
   * The index of a text attribute; new ones are added.
   *
   * @param key index in the string table
   * @param value index in the string table
   */
  public int internString(int key, int value) {
    return internString(key, value, 0);
  }

  /**
   * The index of a text attribute with a unit; new ones are added.
   *
   * @param key index in the string table
   * @param value index in the string table
   * @param unit index in the string table, or 0
   */
  public int internString(int key, int value, int unit) {
    return records.intern(key, STRING, value, unit);
  }

  /**
   * The index of an integer attribute; new ones are added.
   *
   * @param key index in the string table
   * @param value the value
   * @param unit index in the string table, in UCUM form, or 0
   */
  public int internLong(int key, long value, int unit) {
    return records.intern(key, LONG, longs.encode(value), unit);
  }

  /**
   * The index of a floating-point attribute; new ones are added. Values are compared by their bits.
   *
   * @param key index in the string table
   * @param value the value
   * @param unit index in the string table, in UCUM form, or 0
   */
  public int internDouble(int key, double value, int unit) {
    int code = longs.encode(Double.doubleToRawLongBits(value));
    return records.intern(key, DOUBLE, code, unit);
  }

  /**
   * The index of a truth attribute; new ones are added.
   *
   * @param key index in the string table
   * @param value the value
   */
  public int internBoolean(int key, boolean value) {
    return records.intern(key, BOOLEAN, value ? 1 : 0, 0);
  }

  /** Index of the key in the string table. {@code KeyValueAndUnit.key_strindex}. */
  public int key(int index) {
    return records.first(index);
  }

  /** Index of the unit in the string table, or 0. {@code KeyValueAndUnit.unit_strindex}. */
  public int unit(int index) {
    return records.fourth(index);
  }

  /** The type of the value. */
  public Kind kind(int index) {
    return KINDS[records.second(index)];
  }

  /** Index of a text value in the string table. Only for {@link Kind#STRING}. */
  public int stringValue(int index) {
    return records.third(index);
  }

  /** An integer value. Only for {@link Kind#LONG}. */
  public long longValue(int index) {
    return longs.decode(records.third(index));
  }

  /** A floating-point value. Only for {@link Kind#DOUBLE}. */
  public double doubleValue(int index) {
    return Double.longBitsToDouble(longs.decode(records.third(index)));
  }

  /** A truth value. Only for {@link Kind#BOOLEAN}. */
  public boolean booleanValue(int index) {
    return records.third(index) != 0;
  }

  /** The value as text, whatever its kind; empty for {@link Kind#NONE}. */
  public String text(int index) {
    switch (kind(index)) {
      case STRING:
        return strings.get(stringValue(index));
      case BOOLEAN:
        return Boolean.toString(booleanValue(index));
      case LONG:
        return Long.toString(longValue(index));
      case DOUBLE:
        return Double.toString(doubleValue(index));
      default:
        return "";
    }
  }

  void clear() {
    records.clear();
  }
}
