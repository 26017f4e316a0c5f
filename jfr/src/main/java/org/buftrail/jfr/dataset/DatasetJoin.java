package org.buftrail.jfr.dataset;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.buftrail.jfr.parquet.DamagedParquetException;
import org.buftrail.jfr.parquet.OtherWriterException;
import org.buftrail.jfr.parquet.ParquetFile;
import org.buftrail.jfr.parquet.ParquetInput;
import org.buftrail.jfr.parquet.RowGroup;
import org.buftrail.jfr.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes one file of several of a dataset. Large row groups are copied, packed anew where {@link
 * DatasetRows} packed them quickly. The rows of small ones are joined, sorted as it sorts them, and
 * parted by kind or event, so that who asks for one passes over the others. A stack that an earlier
 * file has is left out. Belongs to one thread.
 *
 * <p>Of each of the three tables at most 262,144 rows and about 64 MB of texts are in memory, or
 * one row group that has more, and the ids of 2 million stacks, however many there are; beyond that
 * a stack may be there again, as in several files.
 */
public final class DatasetJoin implements Closeable {
  /** Row groups of so many rows of one kind or event are large. */
  private static final int LARGE = 1 << 15;

  /** Of several, they are with so many times as many. */
  private static final int MIXED = 4;

  /** So many rows of a table are joined. */
  private static final int MOST_ROWS = 1 << 18;

  /** So many bytes of their texts. */
  private static final long MOST_WEIGHT = 64L << 20;

  private static final int MOST_STACKS = 2_000_000;
  private static final int UNSORTED = -1;

  private static final Set<String> ROWS =
      Set.of(DatasetLayout.SAMPLE, DatasetLayout.EVENT, DatasetLayout.FRAME);

  private final ParquetFile to;
  private final int large;
  private final int mostRows;
  private final long mostWeight;
  private final int mostStacks;
  private final LongIntMap stacks = new LongIntMap();
  private final Table samples = new Table(RowColumn.KIND);
  private final Table events = new Table(RowColumn.EVENT);
  private final Table frames = new Table(UNSORTED);

  /** Rows of small groups, until they are many. */
  private final class Table {
    private final int sortedBy;
    private RowGroup rows = new RowGroup(RowColumn.COLUMNS);

    Table(int sortedBy) {
      this.sortedBy = sortedBy;
    }

    /** Adds the rows of a group, or those of them that are kept. */
    void add(ParquetInput in, int group, boolean @Nullable [] kept) throws IOException {
      if (kept == null && isLarge(in, group)) {
        to.copy(in, group);
        return;
      }
      // A group that was joined to others before would grow each time it is joined again.
      if (rows.size() + in.rows(group) > mostRows || rows.weight() + in.plain(group) > mostWeight) {
        write();
      }
      in.read(group, kept, rows);
      if (rows.size() >= mostRows || rows.weight() >= mostWeight) {
        write();
      }
    }

    private boolean isLarge(ParquetInput in, int group) {
      return in.rows(group) >= (isUniform(in, group) ? large : MIXED * large)
          || in.plain(group) >= mostWeight / 2;
    }

    private boolean isUniform(ParquetInput in, int group) {
      return sortedBy == UNSORTED || in.text(group, sortedBy) != null;
    }

    void write() throws IOException {
      if (rows.size() > 0) {
        for (RowGroup part : parts()) {
          to.write(part);
        }
      }
      rows = new RowGroup(RowColumn.COLUMNS);
    }

    private List<RowGroup> parts() {
      if (sortedBy == UNSORTED) {
        // All frames of a stack are in one group.
        return rows.parts(RowColumn.STACK_ID, mostRows);
      }
      rows.sort(sortedBy, RowColumn.TIME_NANOS);
      return rows.parts(sortedBy, large);
    }
  }

  /**
   * @param to closed with this
   */
  public DatasetJoin(OutputStream to) throws IOException {
    this(to, LARGE, MOST_ROWS, MOST_WEIGHT, MOST_STACKS);
  }

  /**
   * @param to closed with this
   * @param large how many rows a group has at least that is copied
   * @param mostRows that are joined
   * @param mostWeight bytes of their texts, about
   * @param mostStacks whose ids are held
   */
  public DatasetJoin(OutputStream to, int large, int mostRows, long mostWeight, int mostStacks)
      throws IOException {
    this.to = new ParquetFile(to, RowColumn.COLUMNS, DatasetLayout.METADATA);
    this.large = large;
    this.mostRows = mostRows;
    this.mostWeight = mostWeight;
    this.mostStacks = mostStacks;
  }

  /**
   * Checks that a file is one of a dataset, and as it was written.
   *
   * @param withPages whether all of it is read, or the footer alone
   * @throws DamagedParquetException if it is not
   * @throws OtherWriterException if another program wrote it
   */
  public static void check(Path file, boolean withPages) throws IOException {
    try (ParquetInput in = new ParquetInput(file, RowColumn.COLUMNS)) {
      for (int group = 0; group < in.groups(); group++) {
        table(in, group);
        if (withPages) {
          in.checkPages(group);
        }
      }
    }
  }

  /**
   * Adds the rows of a file.
   *
   * @throws DamagedParquetException if it is damaged, or none of a dataset; what was made so far is
   *     of no use then
   */
  public void add(Path file) throws IOException {
    try (ParquetInput in = new ParquetInput(file, RowColumn.COLUMNS)) {
      for (int group = 0; group < in.groups(); group++) {
        switch (table(in, group)) {
          case DatasetLayout.SAMPLE -> samples.add(in, group, null);
          case DatasetLayout.EVENT -> events.add(in, group, null);
          default -> addFrames(in, group);
        }
      }
    }
  }

  private static String table(ParquetInput in, int group) throws DamagedParquetException {
    String table = in.text(group, RowColumn.ROW);
    if (table == null || !ROWS.contains(table)) {
      throw new DamagedParquetException("it has rows of no table, or its footer is damaged");
    }
    boolean isWhole =
        switch (table) {
          case DatasetLayout.SAMPLE -> isSortable(in, group, RowColumn.KIND);
          case DatasetLayout.EVENT -> isSortable(in, group, RowColumn.EVENT);
          default -> in.isWhole(group, RowColumn.STACK_ID);
        };
    if (!isWhole) {
      throw new DamagedParquetException("it has rows without a kind, an event, a time, or a stack");
    }
    return table;
  }

  private static boolean isSortable(ParquetInput in, int group, int column) {
    return in.isWhole(group, column) && in.isWhole(group, RowColumn.TIME_NANOS);
  }

  private void addFrames(ParquetInput in, int group) throws IOException {
    if (stacks.size() > mostStacks) {
      stacks.clear();
    }
    long[] ids = in.numbers(group, RowColumn.STACK_ID);
    boolean[] kept = new boolean[ids.length];
    int count = 0;
    int before = stacks.size();
    for (int row = 0; row < ids.length; row++) {
      // A stack's frames may be anywhere in the group; earlier files have none of its stacks.
      kept[row] = stacks.intern(ids[row]) >= before;
      count += kept[row] ? 1 : 0;
    }
    if (count > 0) {
      frames.add(in, group, count == ids.length ? null : kept);
    }
  }

  /** Writes what is in memory. */
  public void finish() throws IOException {
    samples.write();
    events.write();
    frames.write();
  }

  /** Closes the file. Without {@link #finish} it lacks rows. */
  @Override
  public void close() throws IOException {
    to.close();
  }
}
