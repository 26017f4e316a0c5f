package org.buftrail.agent.weave.netty4;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.agent.weave.ByteSearch;
import org.buftrail.agent.weave.PerLoader;
import org.buftrail.agent.weave.Supertypes;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/**
 * Finds Netty in packages that do not end in {@code io.netty}, as {@code com.example.shaded.netty}.
 *
 * <p>A name alone does not make a package Netty's. The class file of its {@code ByteBuf} does, when
 * that extends nothing and implements the package's own {@code ReferenceCounted}. Thread-safe.
 */
final class Relocations {
  private static final String BUFFER = "netty/buffer/ByteBuf";
  private static final byte[] NAMED = ("/" + BUFFER).getBytes(StandardCharsets.UTF_8);

  /** Tags of the constant pool. */
  private static final int CLASS = 7;

  private static final int NAME_AND_TYPE = 12;

  private static final int MAX_KEPT = 1_000;

  /** Whether a package is Netty's, as each loader sees it. */
  private final PerLoader<Map<String, Boolean>> known = new PerLoader<>(ConcurrentHashMap::new);

  /** Looks at the buffer classes that a class which is about to load names. */
  void look(@Nullable ClassLoader loader, byte[] classFile) {
    if (!ByteSearch.contains(classFile, NAMED)) {
      return;
    }
    ClassReader reader = new ClassReader(classFile);
    char[] text = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int item = reader.getItem(i);
      int tag = item == 0 ? 0 : classFile[item - 1];
      if (tag == CLASS) {
        lookAt(loader, reader.readUTF8(item, text));
      } else if (tag == NAME_AND_TYPE) {
        lookAt(loader, reader.readUTF8(item + 2, text));
      }
    }
  }

  private void lookAt(@Nullable ClassLoader loader, @Nullable String text) {
    if (text == null) {
      return;
    }
    for (int at = text.indexOf(BUFFER); at >= 0; ) {
      int from = at;
      while (from > 0 && isOfName(text.charAt(from - 1))) {
        from--;
      }
      // A descriptor's L is no part of the name.
      from += text.indexOf(';') >= 0 && from < at ? 1 : 0;
      check(loader, text.substring(from, at) + "netty/");
      at = text.indexOf(BUFFER, at + 1);
    }
  }

  private static boolean isOfName(char c) {
    return c == '/' || Character.isJavaIdentifierPart(c);
  }

  private void check(@Nullable ClassLoader loader, String root) {
    if (root.endsWith("/netty/") && !NettyNames.isNetty(root)) {
      Map<String, Boolean> answers = known.get(loader);
      Boolean answer = answers.get(root);
      ClassReader buffer = answer == null ? Supertypes.read(loader, root + "buffer/ByteBuf") : null;
      if (buffer != null) {
        answer = isBuffer(buffer, root);
        if (answers.size() < MAX_KEPT) {
          answers.put(root, answer);
        }
      }
      if (answer != null && answer) {
        NettyNames.addRelocated(root);
      }
    }
  }

  private static boolean isBuffer(ClassReader reader, String root) {
    return "java/lang/Object".equals(reader.getSuperName())
        && Arrays.asList(reader.getInterfaces()).contains(root + "util/ReferenceCounted");
  }
}
