package org.buftrail.cli.shape;

import java.util.Set;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/** The work of a thread, by the names on its stack: a frame such as {@code [gc]}. */
final class StackCategory {
  private static final String FRAME_TYPE = Dictionary.FRAME_TYPE;
  private static final Set<String> VM_THREADS = Set.of("java_start", "thread_native_entry");
  private static final Set<String> GC_THREADS = Set.of("GCTaskThread::run", "WorkerThread::run");

  private final Dictionary dictionary;
  private final int typeKey;

  StackCategory(Dictionary dictionary) {
    this.dictionary = dictionary;
    this.typeKey = dictionary.strings().intern(FRAME_TYPE);
  }

  /** The frame that names the category of a stack, leaf first. */
  int frame(int[] frames, int depth) {
    String category = ofThread(frames, depth);
    if (category == null) {
      category = ofClassLoading(frames, depth);
    }
    if (category == null) {
      category = depth > 0 && isJava(frames[0]) ? "[java]" : ofNative(frames, depth);
    }
    int function = dictionary.functions().intern(category);
    return dictionary.locations().intern(function, 0, 0);
  }

  /** Threads of the virtual machine's own, by how they begin. */
  private @Nullable String ofThread(int[] frames, int depth) {
    boolean own = false;
    for (int i = depth - 1; i >= 0 && !isJava(frames[i]); i--) {
      String name = name(frames[i]);
      if (name.equals("CompileBroker::compiler_thread_loop")) {
        return "[jit]";
      }
      if (GC_THREADS.contains(name)) {
        return "[gc]";
      }
      own |= VM_THREADS.contains(name);
    }
    return own ? "[vm]" : null;
  }

  private @Nullable String ofClassLoading(int[] frames, int depth) {
    for (int i = 0; i < depth; i++) {
      String name = name(frames[i]);
      if (name.equals("Verifier::verify")) {
        return "[class_verify]";
      } else if (name.startsWith("InstanceKlass::initialize")) {
        return "[class_init]";
      } else if (name.startsWith("LinkResolver::")
          || name.startsWith("InterpreterRuntime::resolve")
          || name.startsWith("SystemDictionary::resolve")) {
        return "[class_resolve]";
      } else if (name.endsWith("ClassLoader.loadClass")) {
        return "[class_load]";
      } else if (name.endsWith("LambdaMetafactory.metafactory")
          || name.endsWith("LambdaMetafactory.altMetafactory")) {
        return "[lambda_init]";
      }
    }
    return null;
  }

  private String ofNative(int[] frames, int depth) {
    for (int i = 0; i < depth && !isJava(frames[i]); i++) {
      String name = name(frames[i]);
      if (name.startsWith("JVM_")
          || name.startsWith("Unsafe_")
          || name.startsWith("MHN_")
          || name.startsWith("jni_")) {
        return "[vm]";
      }
    }
    return "[native]";
  }

  /** The name of a frame, or of the innermost of its inlined functions. */
  String name(int location) {
    int function = dictionary.locations().function(location);
    return dictionary.strings().get(dictionary.functions().name(function));
  }

  /** Whether a frame is a Java method. */
  boolean isJava(int location) {
    AttributeSetTable sets = dictionary.attributeSets();
    int set = dictionary.locations().attributeSet(location);
    for (int i = 0; i < sets.length(set); i++) {
      int attribute = sets.attribute(set, i);
      if (dictionary.attributes().key(attribute) == typeKey) {
        return dictionary.attributes().text(attribute).equals("jvm");
      }
    }
    return false;
  }
}
