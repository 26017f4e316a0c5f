package org.buftrail.agent.weave;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;

/** What the constant pool of a class file names, read without the rest of it. */
final class PoolNames {
  /** Tags of the constant pool. */
  private static final int UTF8 = 1;

  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;

  private final byte[] classFile;
  private final ClassReader reader;

  /**
   * @param reader of the class file
   */
  PoolNames(byte[] classFile, ClassReader reader) {
    this.classFile = classFile;
    this.reader = reader;
  }

  /** What may be the descriptors of methods, declared and called: strings with a parenthesis. */
  List<String> descriptors() {
    List<String> found = new ArrayList<>();
    for (int i = 1; i < reader.getItemCount(); i++) {
      int item = reader.getItem(i);
      if (item > 0
          && classFile[item - 1] == UTF8
          && reader.readUnsignedShort(item) > 0
          && classFile[item + 2] == '(') {
        found.add(text(item));
      }
    }
    return found;
  }

  /** Whether one of the methods and constructors that are called passes a test. */
  boolean anyCall(CallTest test) {
    char[] text = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int item = reader.getItem(i);
      int tag = item == 0 ? 0 : classFile[item - 1];
      if (tag == METHOD || tag == INTERFACE_METHOD) {
        int called = reader.getItem(reader.readUnsignedShort(item + 2));
        String owner = String.valueOf(reader.readClass(item, text));
        String method = String.valueOf(reader.readUTF8(called, text));
        if (test.passes(owner, method, String.valueOf(reader.readUTF8(called + 2, text)))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Tests a call. */
  interface CallTest {
    /** Given internal names and a descriptor. */
    boolean passes(String owner, String method, String descriptor);
  }

  private String text(int item) {
    int length = reader.readUnsignedShort(item);
    for (int i = item + 2; i < item + 2 + length; i++) {
      if (classFile[i] < 0) {
        return modified(item, length);
      }
    }
    return new String(classFile, item + 2, length, StandardCharsets.ISO_8859_1);
  }

  /** Java's own form of UTF-8, behind its length in two bytes. */
  private String modified(int item, int length) {
    try {
      return new DataInputStream(new ByteArrayInputStream(classFile, item, length + 2)).readUTF();
    } catch (IOException e) {
      throw new IllegalArgumentException("a string that is none", e);
    }
  }
}
