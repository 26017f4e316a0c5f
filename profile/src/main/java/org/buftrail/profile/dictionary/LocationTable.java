package org.buftrail.profile.dictionary;

/**
 * Frames. {@code ProfilesDictionary.location_table}. 16 bytes an entry and 6 to 12 bytes for its
 * slot; twice that for entries with a mapping, an address, a column or inlined lines.
 */
public final class LocationTable {
  private static final int LINE_STRIDE = 3;

  private final Longs longs;
  // function, line, attribute set, detail
  private final Quads records = new Quads();
  // mapping, address, column, inlining lines
  private final Quads details = new Quads();
  // function, line, column of every line but the first
  private final IntSequences callers = new IntSequences();
  private int[] scratch = new int[LINE_STRIDE];

  LocationTable(Longs longs) {
    this.longs = longs;
  }

  /** Number of locations, the zero one included. */
  public int size() {
    return records.size();
  }

  /**
   * The index of a frame of one function that is in no mapping; new ones are added.
   *
   * @param function index in the function table
   * @param line source line from 1; 0 or less when unknown
   * @param attributeSet index in the attribute-set table
   */
  public int intern(int function, long line, int attributeSet) {
    return records.intern(function, longs.encode(Math.max(0, line)), attributeSet, 0);
  }

  /**
   * The indices of many frames, each of one function and in no mapping; new ones are added. Faster
   * than one after the other, because their look-ups wait for memory together.
   *
   * @param functions indices in the function table
   * @param lines source lines from 1; 0 or less when unknown
   * @param attributeSets indices in the attribute-set table
   * @param from the first to take
   * @param to the position behind the last to take
   * @param indices where the results go
   * @param at where among these the first goes
   */
  public void intern(
      int[] functions, int[] lines, int[] attributeSets, int from, int to, int[] indices, int at) {
    for (int i = from; i < to; i++) {
      lines[i] = Math.max(0, lines[i]);
    }
    records.intern(functions, lines, attributeSets, from, to, indices, at);
  }

  /**
   * The index of a frame of one function; new ones are added.
   *
   * @param mapping index in the mapping table, or 0
   * @param address instruction address, unsigned, or 0
   * @param function index in the function table, or 0
   * @param line source line from 1; 0 or less when unknown
   * @param column source column from 1; 0 or less when unknown
   * @param attributeSet index in the attribute-set table
   */
  public int intern(
      int mapping, long address, int function, long line, long column, int attributeSet) {
    return intern(mapping, address, function, line, column, attributeSet, 0);
  }

  /**
   * The index of a frame with inlined functions; new ones are added.
   *
   * @param mapping index in the mapping table, or 0
   * @param address instruction address, unsigned, or 0
   * @param attributeSet index in the attribute-set table
   * @param functions indices in the function table, the innermost inlined function first
   * @param lines source lines, as long as {@code functions} or longer
   * @param columns source columns, as long as {@code functions} or longer
   * @param count how many of them to take
   */
  public int intern(
      int mapping,
      long address,
      int attributeSet,
      int[] functions,
      long[] lines,
      long[] columns,
      int count) {
    if (count == 0) {
      return intern(mapping, address, 0, 0, 0, attributeSet, 0);
    }
    int length = (count - 1) * LINE_STRIDE;
    if (scratch.length < length) {
      scratch = new int[Growth.of(scratch.length, length)];
    }
    for (int i = 1; i < count; i++) {
      int at = (i - 1) * LINE_STRIDE;
      scratch[at] = functions[i];
      scratch[at + 1] = longs.encode(Math.max(0, lines[i]));
      scratch[at + 2] = longs.encode(Math.max(0, columns[i]));
    }
    int inlining = callers.intern(scratch, 0, length);
    return intern(mapping, address, functions[0], lines[0], columns[0], attributeSet, inlining);
  }

  private int intern(
      int mapping,
      long address,
      int function,
      long line,
      long column,
      int attributeSet,
      int inlining) {
    int addressCode = longs.encode(address);
    int columnCode = longs.encode(Math.max(0, column));
    int detail = details.intern(mapping, addressCode, columnCode, inlining);
    return records.intern(function, longs.encode(Math.max(0, line)), attributeSet, detail);
  }

  /** Index in the mapping table, or 0. {@code Location.mapping_index}. */
  public int mapping(int index) {
    return details.first(records.fourth(index));
  }

  /** Instruction address, unsigned, or 0. {@code Location.address}. */
  public long address(int index) {
    return longs.decode(details.second(records.fourth(index)));
  }

  /** Index in the attribute-set table. {@code Location.attribute_indices}. */
  public int attributeSet(int index) {
    return records.third(index);
  }

  /** Whether there is one function at most, and no mapping, address and column. */
  public boolean isPlain(int index) {
    return records.fourth(index) == 0 && (records.first(index) | records.second(index)) != 0;
  }

  /**
   * How many functions this frame stands for: 1, more when some are inlined, 0 if none is known.
   */
  public int lineCount(int index) {
    int detail = records.fourth(index);
    int inlining = callers.length(details.fourth(detail)) / LINE_STRIDE;
    boolean known =
        (records.first(index) | records.second(index) | details.third(detail) | inlining) != 0;
    return known ? 1 + inlining : 0;
  }

  /** Index of the innermost function, or 0. */
  public int function(int index) {
    return records.first(index);
  }

  /** Source line in the innermost function, or 0. */
  public long line(int index) {
    return longs.decode(records.second(index));
  }

  /** Index of the function at a position, 0 the innermost. {@code Line.function_index}. */
  public int function(int index, int position) {
    return position == 0 ? function(index) : caller(index, position, 0);
  }

  /** Source line at a position, or 0. {@code Line.line}. */
  public long line(int index, int position) {
    return position == 0 ? line(index) : longs.decode(caller(index, position, 1));
  }

  /** Source column at a position, or 0. {@code Line.column}. */
  public long column(int index, int position) {
    int code = position == 0 ? details.third(records.fourth(index)) : caller(index, position, 2);
    return longs.decode(code);
  }

  private int caller(int index, int position, int field) {
    int inlining = details.fourth(records.fourth(index));
    return callers.element(inlining, (position - 1) * LINE_STRIDE + field);
  }

  void clear() {
    records.clear();
    details.clear();
    callers.clear();
  }
}
