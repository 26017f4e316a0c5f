package org.buftrail.jfr.constants;

import java.io.IOException;
import java.util.Arrays;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.Reference;
import org.buftrail.jfr.schema.TypeDescriptor;

/** The threads of one chunk that events name: their names as numbers of texts, and their ids. */
public final class ThreadTable {
  private static final String[] FIELDS = {"osName", "osThreadId", "javaName", "javaThreadId"};
  private static final int OS_NAME = 0;
  private static final int OS_ID = 1;
  private static final int JAVA_NAME = 2;
  private static final int JAVA_ID = 3;

  private final long[] slots = new long[FIELDS.length];
  private int[] indices = new int[16];
  private long[] javaNames = new long[16];
  private long[] osNames = new long[16];
  private long[] ids = new long[16];
  private int size;

  /** Forgets the threads of the last chunk. */
  public void clear() {
    size = 0;
  }

  /** Decodes every thread that events name and that was found. */
  public void read(RecordingBuffer buffer, Metadata metadata, Constants constants, ChunkTexts texts)
      throws IOException, DamageException {
    LazyConstantPool threads = constants.threads;
    TypeDescriptor type = metadata.type("java.lang.Thread");
    if (type == null || threads.found() == 0) {
      return;
    }
    Layout layout = Layout.compile(metadata, type, buffer.compressed, Layout.slotsOf(FIELDS));
    Reference javaNameField = Reference.of(metadata, type, FIELDS[JAVA_NAME]);
    Reference osNameField = Reference.of(metadata, type, FIELDS[OS_NAME]);
    for (int rank = 0; rank < threads.found(); rank++) {
      int index = threads.inOrder(rank);
      buffer.seek(threads.offset(index));
      buffer.require(threads.length(index), "a thread");
      Arrays.fill(slots, 0);
      layout.read(buffer, slots);
      if (buffer.position <= buffer.limit) {
        long id = slots[JAVA_ID] > 0 ? slots[JAVA_ID] : slots[OS_ID];
        long javaName = constants.number(buffer, javaNameField, slots[JAVA_NAME], texts);
        long osName = constants.number(buffer, osNameField, slots[OS_NAME], texts);
        add(index, javaName, osName, id);
      }
    }
  }

  private void add(int index, long javaName, long osName, long id) {
    if (size == ids.length) {
      indices = Arrays.copyOf(indices, size * 2);
      javaNames = Arrays.copyOf(javaNames, size * 2);
      osNames = Arrays.copyOf(osNames, size * 2);
      ids = Arrays.copyOf(ids, size * 2);
    }
    indices[size] = index;
    javaNames[size] = javaName;
    osNames[size] = osName;
    ids[size++] = id;
  }

  /** How many were decoded; they are in the order of the file. */
  public int size() {
    return size;
  }

  /** Which of the wanted threads it is. */
  public int index(int thread) {
    return indices[thread];
  }

  /** The name that Java gave, as a number of a text; 0 for none. */
  public long javaName(int thread) {
    return javaNames[thread];
  }

  /** The name that the operating system knows, as a number of a text; 0 for none. */
  public long osName(int thread) {
    return osNames[thread];
  }

  /** Java's number of the thread, or the system's where it has none. */
  public long id(int thread) {
    return ids[thread];
  }
}
