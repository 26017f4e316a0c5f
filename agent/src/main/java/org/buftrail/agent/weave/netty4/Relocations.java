package org.buftrail.agent.weave.netty4;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.PerLoader;
import org.buftrail.agent.weave.classfile.Supertypes;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;

/**
 * Finds Netty in other packages than its own, as {@code com.example.shaded.netty}.
 *
 * <p>A name alone does not make a package Netty's. The class file of its {@code ByteBuf} does, when
 * that extends nothing and implements the package's own {@code ReferenceCounted}. One that ends in
 * {@code io.netty} is taken for Netty's until a class of it loads where there is no such file.
 * Thread-safe.
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

  /** Looks at the package of a class, if its name alone makes that Netty's. */
  void lookAtPackage(@Nullable ClassLoader loader, String name) {
    String root = NettyNames.relocatedRoot(name);
    if (root == null) {
      return;
    }
    Map<String, Boolean> answers = known.get(loader);
    if (!answers.containsKey(root)) {
      ClassHead buffer = Supertypes.read(loader, root + "buffer/ByteBuf");
      if (buffer == null && Supertypes.read(loader, name) == null) {
        // A loader that gives no class files says nothing.
        return;
      }
      boolean isNetty = buffer != null && isBuffer(buffer, root);
      if (answers.size() < MAX_KEPT) {
        answers.put(root, isNetty);
      }
      if (isNetty) {
        NettyNames.addRelocated(root);
      } else {
        NettyNames.addOther(root);
      }
    }
  }

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
      if (tag == CLASS || tag == NAME_AND_TYPE) {
        String name = reader.readUTF8(tag == CLASS ? item : item + 2, text);
        if (name != null && name.contains(BUFFER)) {
          lookAt(loader, tag == CLASS ? Type.getObjectType(name) : Type.getType(name));
        }
      }
    }
  }

  private void lookAt(@Nullable ClassLoader loader, Type type) {
    if (type.getSort() == Type.METHOD) {
      for (Type argument : type.getArgumentTypes()) {
        lookAt(loader, argument);
      }
      lookAt(loader, type.getReturnType());
    } else if (type.getSort() == Type.ARRAY) {
      lookAt(loader, type.getElementType());
    } else if (type.getSort() == Type.OBJECT) {
      String name = type.getInternalName();
      int at = name.indexOf(BUFFER);
      if (at >= 0) {
        check(loader, name.substring(0, at) + "netty/");
      }
    }
  }

  private void check(@Nullable ClassLoader loader, String root) {
    if (root.endsWith("/netty/") && !NettyNames.isNetty(root)) {
      Map<String, Boolean> answers = known.get(loader);
      Boolean answer = answers.get(root);
      ClassHead buffer = answer == null ? Supertypes.read(loader, root + "buffer/ByteBuf") : null;
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

  private static boolean isBuffer(ClassHead head, String root) {
    return "java/lang/Object".equals(head.superclass())
        && Arrays.asList(head.interfaces()).contains(root + "util/ReferenceCounted");
  }
}
