package org.buftrail.jfr.dataset;

import static org.buftrail.jfr.dataset.RowColumn.DEPTH;
import static org.buftrail.jfr.dataset.RowColumn.DURATION;
import static org.buftrail.jfr.dataset.RowColumn.EVENT;
import static org.buftrail.jfr.dataset.RowColumn.EVENT_ID;
import static org.buftrail.jfr.dataset.RowColumn.FIELDS;
import static org.buftrail.jfr.dataset.RowColumn.FILE;
import static org.buftrail.jfr.dataset.RowColumn.FUNCTION;
import static org.buftrail.jfr.dataset.RowColumn.HOST;
import static org.buftrail.jfr.dataset.RowColumn.KIND;
import static org.buftrail.jfr.dataset.RowColumn.LINE;
import static org.buftrail.jfr.dataset.RowColumn.MODULE;
import static org.buftrail.jfr.dataset.RowColumn.PROCESS;
import static org.buftrail.jfr.dataset.RowColumn.RECORDING;
import static org.buftrail.jfr.dataset.RowColumn.ROW;
import static org.buftrail.jfr.dataset.RowColumn.SECOND_UNIT;
import static org.buftrail.jfr.dataset.RowColumn.SECOND_VALUE;
import static org.buftrail.jfr.dataset.RowColumn.SPAN;
import static org.buftrail.jfr.dataset.RowColumn.STACK_ID;
import static org.buftrail.jfr.dataset.RowColumn.STATE;
import static org.buftrail.jfr.dataset.RowColumn.TAGS;
import static org.buftrail.jfr.dataset.RowColumn.THREAD;
import static org.buftrail.jfr.dataset.RowColumn.TIME;
import static org.buftrail.jfr.dataset.RowColumn.TIME_NANOS;
import static org.buftrail.jfr.dataset.RowColumn.TRACE;
import static org.buftrail.jfr.dataset.RowColumn.TYPE;
import static org.buftrail.jfr.dataset.RowColumn.UNIT;
import static org.buftrail.jfr.dataset.RowColumn.VALUE;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.buftrail.jfr.parquet.ParquetFile;
import org.buftrail.jfr.parquet.RowGroup;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleBatchTaker;
import org.buftrail.jfr.rows.StackFrame;
import org.buftrail.jfr.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of one recording to the files of a dataset: one for each day and service, which
 * is one as a rule. Belongs to one thread.
 */
public final class DatasetRows implements SampleBatchTaker, AutoCloseable {
  /** So many rows are in memory. */
  private static final int MOST_ROWS = 1 << 17;

  /** So many bytes of their texts, and those of one batch. */
  private static final long MOST_WEIGHT = 64L << 20;

  /** So many files are open. A damaged recording may have rows of thousands of days. */
  private static final int MOST_OPEN = 64;

  private static final long NANOS_OF_MICRO = 1_000;

  /** Events with a message, which may hold what nobody should keep. */
  private static final Set<String> EXCEPTIONS =
      Set.of("jdk.JavaExceptionThrow", "jdk.JavaErrorThrow");

  private static final String MESSAGE = "message";

  /** Makes the files. */
  public interface Files {
    /**
     * Makes a file.
     *
     * @param name below the dataset, with slashes
     */
    OutputStream create(String name) throws IOException;
  }

  private final Files files;
  private final String id;
  private final boolean messages;
  private final int mostRows;
  private final long mostWeight;
  private final int mostOpen;

  /** The open files, by directory; first the one that was used longest ago. */
  private final Map<String, Part> open = new LinkedHashMap<>(16, 0.75f, true);

  /** Where the last row went; null if that is not open. */
  private @Nullable Part last;

  private long lastDay;
  private @Nullable String lastService;

  /** How many files there are of each directory. */
  private final Map<String, Integer> counts = new HashMap<>();

  private final Set<String> names = new TreeSet<>();
  private int held;
  private long rows;

  /** One file. */
  private static final class Part {
    final ParquetFile file;
    final RowGroup samples = new RowGroup(RowColumn.COLUMNS);
    final RowGroup events = new RowGroup(RowColumn.COLUMNS);
    final RowGroup frames = new RowGroup(RowColumn.COLUMNS, RowColumn.OF_FRAMES);
    final LongIntMap stacks;

    /** Numbers of the frames that stacks share, by their places. */
    final LongIntMap numbers = new LongIntMap();

    Part(ParquetFile file, LongIntMap stacks) {
      this.file = file;
      this.stacks = stacks;
    }

    boolean isNew(long stack) {
      int known = stacks.size();
      return stacks.intern(stack) == known;
    }
  }

  /**
   * @param id of the recording
   * @param messages whether the messages of exceptions are written
   */
  public DatasetRows(Files files, String id, boolean messages) {
    this(files, id, messages, MOST_ROWS, MOST_WEIGHT, MOST_OPEN);
  }

  /**
   * @param messages whether the messages of exceptions are written
   * @param mostRows that are in memory at a time
   * @param mostWeight bytes of their texts, about
   * @param mostOpen files at a time
   */
  public DatasetRows(
      Files files, String id, boolean messages, int mostRows, long mostWeight, int mostOpen) {
    this.files = files;
    this.id = id;
    this.messages = messages;
    this.mostRows = mostRows;
    this.mostWeight = mostWeight;
    this.mostOpen = mostOpen;
  }

  /** How many samples and events there were. */
  public long rows() {
    return rows;
  }

  /** The files that were made, below the dataset. */
  public Set<String> names() {
    return names;
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException if they cannot be written
   */
  @Override
  public void take(SampleBatch batch) {
    try {
      for (int row = 0; row < batch.size(); row++) {
        Part part = part(batch.time(row), batch.service());
        if (batch.isOther(row)) {
          addEvent(batch, row, part.events);
        } else {
          addSample(batch, row, part.samples);
        }
        held++;
        rows++;
        long stack = batch.stackId(row);
        if (stack != 0 && part.isNew(stack)) {
          addFrames(stack, batch, row, part);
        }
        if (held >= mostRows) {
          flush();
        }
      }
      if (weight() >= mostWeight) {
        flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many bytes the texts in memory take, about. */
  private long weight() {
    long weight = 0;
    for (Part part : open.values()) {
      weight += part.samples.weight() + part.events.weight() + part.frames.weight();
    }
    return weight;
  }

  private static void addSample(SampleBatch batch, int row, RowGroup to) {
    to.text(ROW, DatasetLayout.SAMPLE);
    to.text(KIND, batch.kind(row));
    to.text(EVENT, batch.event(row));
    to.number(VALUE, batch.value(row));
    to.text(UNIT, batch.unit(row));
    if (batch.hasSecond(row)) {
      to.number(SECOND_VALUE, batch.second(row));
    }
    to.text(SECOND_UNIT, batch.secondUnit(row));
    to.text(STATE, batch.state(row));
    to.texts(TAGS, batch.tags(row));
    addCommon(batch, row, to);
  }

  private void addEvent(SampleBatch batch, int row, RowGroup to) {
    to.text(ROW, DatasetLayout.EVENT);
    to.text(EVENT, batch.kind(row));
    if (batch.hasSecond(row)) {
      to.number(DURATION, batch.second(row));
    }
    to.texts(FIELDS, fields(batch, row));
    to.texts(TAGS, batch.processTags());
    addCommon(batch, row, to);
  }

  private Map<String, String> fields(SampleBatch batch, int row) {
    Map<String, String> fields = batch.fields(row);
    if (messages || !EXCEPTIONS.contains(batch.kind(row))) {
      return fields;
    }
    Map<String, String> others = new TreeMap<>(fields);
    others.remove(MESSAGE);
    return others;
  }

  private static void addCommon(SampleBatch batch, int row, RowGroup to) {
    to.text(RECORDING, batch.recording());
    to.text(HOST, batch.host());
    known(PROCESS, batch.process(), to);
    to.number(TIME, Math.floorDiv(batch.time(row), NANOS_OF_MICRO));
    to.number(TIME_NANOS, batch.time(row));
    to.text(THREAD, batch.thread(row));
    to.text(SPAN, batch.span(row));
    to.text(TRACE, batch.trace(row));
    known(STACK_ID, batch.stackId(row), to);
    known(EVENT_ID, batch.eventId(row), to);
    to.endRow();
  }

  private void addFrames(long stack, SampleBatch batch, int row, Part to) {
    RowGroup rows = to.frames;
    int[] numbers = batch.frameNumbers(row);
    for (int depth = 0; depth < numbers.length; depth++) {
      rows.text(ROW, DatasetLayout.FRAME);
      rows.number(STACK_ID, stack);
      rows.number(DEPTH, depth);
      int known = to.numbers.size();
      int place = to.numbers.intern(numbers[depth]);
      if (place == known) {
        addFrame(batch.frame(numbers[depth]), place, rows);
      }
      rows.share(place);
      rows.endRow();
    }
    held += numbers.length;
  }

  private static void addFrame(StackFrame frame, int place, RowGroup to) {
    to.sharedText(FUNCTION, place, frame.function());
    to.sharedText(TYPE, place, frame.type());
    if (!frame.file().isEmpty()) {
      to.sharedText(FILE, place, frame.file());
    }
    if (frame.line() != 0) {
      to.sharedNumber(LINE, place, frame.line());
    }
    if (!frame.module().isEmpty()) {
      to.sharedText(MODULE, place, frame.module());
    }
  }

  private static void known(int column, long value, RowGroup to) {
    if (value != 0) {
      to.number(column, value);
    }
  }

  private Part part(long nanos, @Nullable String service) throws IOException {
    long day = DatasetLayout.day(nanos);
    Part part = last;
    if (part == null || day != lastDay || !Objects.equals(service, lastService)) {
      part = part(DatasetLayout.directory(day, service));
      last = part;
      lastDay = day;
      lastService = service;
    }
    return part;
  }

  private Part part(String directory) throws IOException {
    Part known = open.get(directory);
    if (known != null) {
      return known;
    }
    if (open.size() == mostOpen) {
      Iterator<Part> oldest = open.values().iterator();
      Part closed = oldest.next();
      oldest.remove();
      try (ParquetFile file = closed.file) {
        write(closed, file);
      }
    }
    return create(directory, new LongIntMap());
  }

  private Part create(String directory, LongIntMap stacks) throws IOException {
    int number = counts.merge(directory, 1, Integer::sum) - 1;
    String name = directory + "/" + DatasetLayout.file(id, number);
    names.add(name);
    Part part =
        new Part(
            new ParquetFile(files.create(name), RowColumn.COLUMNS, DatasetLayout.METADATA), stacks);
    open.put(directory, part);
    return part;
  }

  /** Writes all rows that are in memory, and goes on with the same files. */
  private void flush() throws IOException {
    for (Map.Entry<String, Part> each : open.entrySet()) {
      Part part = each.getValue();
      write(part, part.file);
      each.setValue(new Part(part.file, part.stacks));
    }
    held = 0;
    last = null;
  }

  private static void write(Part part, ParquetFile file) throws IOException {
    if (part.samples.size() > 0) {
      part.samples.sort(KIND, TIME_NANOS);
      file.writeQuickly(part.samples);
    }
    if (part.events.size() > 0) {
      part.events.sort(EVENT, TIME_NANOS);
      file.writeQuickly(part.events);
    }
    if (part.frames.size() > 0) {
      file.writeQuickly(part.frames);
    }
  }

  /**
   * Writes what is in memory, and closes all files.
   *
   * @throws UncheckedIOException if they cannot be written
   */
  public void finish() {
    try {
      flush();
      close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes all files. Without {@link #finish} they lack rows. */
  @Override
  public void close() throws IOException {
    List<Part> all = new ArrayList<>(open.values());
    open.clear();
    IOException failure = null;
    for (Part part : all) {
      try {
        part.file.close();
      } catch (IOException e) {
        failure = Objects.requireNonNullElse(failure, e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
