package org.buftrail.profile.html;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FrameNames;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.trie.AttributeByKey;

/** The frames of a page: name, line and type by row; a location with inlined calls is several. */
final class PageFrames {
  private final Dictionary dictionary;
  private final FrameNames frameNames;
  private final Map<String, Integer> names = new LinkedHashMap<>();
  private final Map<String, Integer> types = new LinkedHashMap<>();
  private final Map<List<Object>, Integer> rows = new HashMap<>();
  private final List<List<Object>> frames = new ArrayList<>();
  private final int[][] rowsOfLocation;
  private final AttributeByKey frameType;
  private final AttributeByKey compilation;

  PageFrames(Dictionary dictionary) {
    this.dictionary = dictionary;
    this.frameNames = new FrameNames(dictionary);
    this.rowsOfLocation = new int[dictionary.locations().size()][];
    this.frameType = new AttributeByKey(dictionary, Dictionary.FRAME_TYPE);
    this.compilation = new AttributeByKey(dictionary, Dictionary.COMPILATION);
  }

  /** The frames of a location, the caller first. */
  int[] rows(int location) {
    int[] known = rowsOfLocation[location];
    if (known == null) {
      known = newRows(location);
      rowsOfLocation[location] = known;
    }
    return known;
  }

  /** The frame of samples that have no stack. */
  int noStack() {
    return row("[no stack]", 0, "");
  }

  private int[] newRows(int location) {
    LocationTable locations = dictionary.locations();
    String type = type(locations.attributeSet(location));
    int lines = locations.lineCount(location);
    if (lines == 0) {
      return new int[] {row(frameNames.address(location), 0, type)};
    }
    int[] found = new int[lines];
    for (int i = 0; i < lines; i++) {
      String name = frameNames.function(location, i);
      found[lines - 1 - i] = row(name, locations.line(location, i), type);
    }
    return found;
  }

  /** How a frame of Java code ran, where the recording said so, says more than that it is one. */
  private String type(int attributes) {
    String how = compilation.in(attributes);
    return how.isEmpty() ? frameType.in(attributes) : how;
  }

  private int row(String name, long line, String type) {
    List<Object> frame = List.of(index(names, name), line, index(types, type));
    int next = frames.size();
    Integer known = rows.putIfAbsent(frame, next);
    if (known == null) {
      frames.add(frame);
    }
    return known == null ? next : known;
  }

  private static int index(Map<String, Integer> table, String text) {
    int next = table.size();
    Integer known = table.putIfAbsent(text, next);
    return known == null ? next : known;
  }

  void write(JsonOut json) throws IOException {
    PageColumns.texts(json, "names", names.keySet());
    PageColumns.texts(json, "types", types.keySet());
    json.name("frames").beginObject();
    write(json, "name", 0);
    write(json, "line", 1);
    write(json, "type", 2);
    json.endObject();
  }

  private void write(JsonOut json, String name, int column) throws IOException {
    PageColumns.column(
        json, name, frames.size(), i -> ((Number) frames.get(i).get(column)).longValue());
  }
}
