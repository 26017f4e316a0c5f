package org.buftrail.profile.dictionary;

/** Mapped binaries. {@code ProfilesDictionary.mapping_table}. 28 bytes an entry and its slot. */
public final class MappingTable {
  private static final int START = 0;
  private static final int LIMIT = 1;
  private static final int FILE_OFFSET = 2;
  private static final int FILE_NAME = 3;
  private static final int ATTRIBUTE_SET = 4;

  private final Longs longs;
  private final IntSequences records = new IntSequences();
  private final int[] scratch = new int[5];

  MappingTable(Longs longs) {
    this.longs = longs;
  }

  /** Number of mappings, the zero one included. */
  public int size() {
    return records.size();
  }

  /**
   * The index of a mapping; new ones are added. All zero is index 0: no mapping.
   *
   * @param start first address, unsigned
   * @param limit first address behind it, unsigned
   * @param fileOffset where in the file the mapped part begins
   * @param fileName index in the string table
   * @param attributeSet index in the attribute-set table; holds a build id
   */
  public int intern(long start, long limit, long fileOffset, int fileName, int attributeSet) {
    if ((start | limit | fileOffset | fileName | attributeSet) == 0) {
      return 0;
    }
    scratch[START] = longs.encode(start);
    scratch[LIMIT] = longs.encode(limit);
    scratch[FILE_OFFSET] = longs.encode(fileOffset);
    scratch[FILE_NAME] = fileName;
    scratch[ATTRIBUTE_SET] = attributeSet;
    return records.intern(scratch, 0, scratch.length);
  }

  /** First address. {@code Mapping.memory_start}. */
  public long start(int index) {
    return longs.decode(field(index, START));
  }

  /** First address behind it. {@code Mapping.memory_limit}. */
  public long limit(int index) {
    return longs.decode(field(index, LIMIT));
  }

  /** Where in the file the mapped part begins. {@code Mapping.file_offset}. */
  public long fileOffset(int index) {
    return longs.decode(field(index, FILE_OFFSET));
  }

  /** Index in the string table. {@code Mapping.filename_strindex}. */
  public int fileName(int index) {
    return field(index, FILE_NAME);
  }

  /** Index in the attribute-set table. {@code Mapping.attribute_indices}. */
  public int attributeSet(int index) {
    return field(index, ATTRIBUTE_SET);
  }

  private int field(int index, int field) {
    return index == 0 ? 0 : records.element(index, field);
  }

  void clear() {
    records.clear();
  }
}
