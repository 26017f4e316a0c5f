package org.buftrail.profile.html;

import java.io.IOException;
import java.util.function.IntUnaryOperator;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.trie.FrameTrie;

/** What every page model holds: its head, and the trie as columns. */
public final class PageColumns {
  private static final String FORMAT = "buftrail.page";
  private static final int VERSION = 1;

  /** A number by row. */
  @FunctionalInterface
  public interface Column {
    /** The number in a row. */
    long at(int row);
  }

  private PageColumns() {}

  /**
   * Opens the model's object and writes its head.
   *
   * @param kind {@code flows} or {@code profiles}
   */
  public static void head(JsonOut json, String kind) throws IOException {
    json.beginObject().name("format").value(FORMAT).name("version").value(VERSION);
    json.name("kind").value(kind);
  }

  /**
   * Writes the columns {@code up} and {@code frame} of the nodes into the open object.
   *
   * @param frameOf from a label to the frame's row
   */
  public static void trie(JsonOut json, FrameTrie trie, IntUnaryOperator frameOf)
      throws IOException {
    column(
        json,
        "up",
        trie.size(),
        node -> trie.parent(node) == FrameTrie.NONE ? 0 : node - trie.parent(node));
    column(json, "frame", trie.size(), node -> frameOf.applyAsInt(trie.label(node)));
  }

  /** Writes one member: an array of numbers. */
  public static void column(JsonOut json, String name, int rows, Column values) throws IOException {
    json.name(name).beginArray();
    for (int row = 0; row < rows; row++) {
      json.value(values.at(row));
    }
    json.endArray();
  }

  /** Writes one member: an array of texts. */
  public static void texts(JsonOut json, String name, Iterable<String> values) throws IOException {
    json.name(name).texts(values);
  }
}
