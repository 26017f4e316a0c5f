package org.buftrail.agent.weave.classfile;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;

/**
 * The first line of each method of a class that has lines, and how many local variables there are.
 * Reads the heads and tables of code alone: what is inserted needs these before the code is
 * visited.
 */
public final class FirstLines {
  private static final int MEMBER_HEADER = 6;
  private static final int ATTRIBUTE_HEADER = 6;

  private final ClassReader reader;
  private final char[] text;
  private final Map<String, Integer> lines = new HashMap<>();
  private final Map<String, Integer> locals = new HashMap<>();

  /** Name and descriptor of the one that is being read. */
  private String method = "";

  private FirstLines(ClassReader reader) {
    this.reader = reader;
    this.text = new char[reader.getMaxStringLength()];
  }

  public static FirstLines of(ClassReader reader) {
    FirstLines lines = new FirstLines(reader);
    lines.read();
    return lines;
  }

  /** The first line of a method; 0 where it has none. */
  public int line(String method, String descriptor) {
    return lines.getOrDefault(method + descriptor, 0);
  }

  /** The number of the first local variable that a method does not use. */
  public int unusedLocal(String method, String descriptor) {
    return locals.getOrDefault(method + descriptor, 0);
  }

  private void read() {
    // Access, name and superclass; then interfaces.
    int at = reader.header + 6;
    at += 2 + 2 * reader.readUnsignedShort(at);
    int fields = reader.readUnsignedShort(at);
    at += 2;
    for (int i = 0; i < fields; i++) {
      at = endOfAttributes(at + MEMBER_HEADER);
    }
    int methods = reader.readUnsignedShort(at);
    at += 2;
    for (int i = 0; i < methods; i++) {
      method = reader.readUTF8(at + 2, text) + reader.readUTF8(at + 4, text);
      int line = lineIn(at + MEMBER_HEADER, "Code");
      if (line >= 0) {
        lines.put(method, line);
      }
      at = endOfAttributes(at + MEMBER_HEADER);
    }
  }

  private int endOfAttributes(int at) {
    int count = reader.readUnsignedShort(at);
    int next = at + 2;
    for (int i = 0; i < count; i++) {
      next += ATTRIBUTE_HEADER + reader.readInt(next + 2);
    }
    return next;
  }

  /** The first line in attributes of a name, -1 for none: in tables of lines, or code with such. */
  private int lineIn(int attributes, String name) {
    int count = reader.readUnsignedShort(attributes);
    int at = attributes + 2;
    int first = -1;
    int firstAt = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      int body = at + ATTRIBUTE_HEADER;
      if (name.equals(reader.readUTF8(at, text))) {
        if (name.equals("Code")) {
          locals.put(method, reader.readUnsignedShort(body + 2));
          return lineIn(behindCode(body), "LineNumberTable");
        }
        int entries = reader.readUnsignedShort(body);
        for (int entry = body + 2; entry < body + 2 + 4 * entries; entry += 4) {
          if (reader.readUnsignedShort(entry) < firstAt) {
            firstAt = reader.readUnsignedShort(entry);
            first = reader.readUnsignedShort(entry + 2);
          }
        }
      }
      at = body + reader.readInt(at + 2);
    }
    return first;
  }

  /** Where the attributes of code begin. */
  private int behindCode(int body) {
    int exceptions = body + 8 + reader.readInt(body + 4);
    return exceptions + 2 + 8 * reader.readUnsignedShort(exceptions);
  }
}
