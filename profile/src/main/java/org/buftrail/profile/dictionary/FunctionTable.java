package org.buftrail.profile.dictionary;

/**
 * Functions. {@code ProfilesDictionary.function_table}. 16 bytes an entry, 4 bytes a string, and 6
 * to 12 bytes an entry for slots once two share a name.
 */
public final class FunctionTable {
  private final StringTable strings;
  private final Longs longs;
  private final Quads records = Quads.byFirst();

  FunctionTable(StringTable strings, Longs longs) {
    this.strings = strings;
    this.longs = longs;
  }

  /** Number of functions, the zero one included. */
  public int size() {
    return records.size();
  }

  /** The index of a function of which only the name is known. */
  public int intern(String name) {
    return intern(strings.intern(name), 0, 0, 0);
  }

  /**
   * The index of a function; new functions are added.
   *
   * @param name index of the human-readable name in the string table
   * @param systemName index of the name that the system uses, or 0
   * @param fileName index of the source file, or 0
   * @param startLine first source line, from 1; 0 or less when unknown
   */
  public int intern(int name, int systemName, int fileName, long startLine) {
    return records.intern(name, systemName, fileName, longs.encode(Math.max(0, startLine)));
  }

  /** Index of the name in the string table. {@code Function.name_strindex}. */
  public int name(int index) {
    return records.first(index);
  }

  /** Index of the system's name in the string table. {@code Function.system_name_strindex}. */
  public int systemName(int index) {
    return records.second(index);
  }

  /** Index of the source file in the string table. {@code Function.filename_strindex}. */
  public int fileName(int index) {
    return records.third(index);
  }

  /** First source line, or 0. {@code Function.start_line}. */
  public long startLine(int index) {
    return longs.decode(records.fourth(index));
  }

  void clear() {
    records.clear();
  }
}
