package org.buftrail.agent.weave.tests;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.buftrail.agent.weave.Retransformation;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * Has code of tests say which exceptions reach it: for {@link
 * org.buftrail.flow.LeakScope#misuses()}. Woven as the first scope opens, so a JVM without scopes
 * has it as it was.
 */
public final class TestCodeWeaver implements ClassFileTransformer {
  /** Where the major version of a class file is. */
  private static final int MAJOR = 7;

  private final Instrumentation instrumentation;
  private final Consumer<String> log;
  private final Rewriter rewriter;
  private boolean installed;

  /**
   * @param log takes a line if something cannot be woven
   */
  public TestCodeWeaver(Instrumentation instrumentation, Consumer<String> log) {
    this.instrumentation = instrumentation;
    this.log = log;
    this.rewriter = new Rewriter(log);
  }

  /** Weaves from now on, and what is loaded. */
  public void weave() {
    add();
    retransform();
  }

  /** Gives classes their byte code back. */
  public void restore() {
    if (remove()) {
      retransform();
    }
  }

  private synchronized void add() {
    instrumentation.addTransformer(this, instrumentation.isRetransformClassesSupported());
    installed = true;
  }

  private synchronized boolean remove() {
    boolean was = installed;
    installed = false;
    return was && instrumentation.removeTransformer(this);
  }

  private void retransform() {
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (instrumentation.isModifiableClass(type) && TestClasses.mayContain(type)) {
        loaded.add(type);
      }
    }
    new Retransformation(
            instrumentation,
            (type, e) ->
                log.accept("what " + type.getName() + " catches may count as swallowed: " + e))
        .run(loaded);
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || name.startsWith("org/buftrail/flow/")) {
      return null;
    }
    try {
      return classFile[MAJOR] >= Opcodes.V1_7 && TestClasses.contain(name, domain, classFile)
          ? rewriter.rewrite(classFile, CatchVisitor::new)
          : null;
    } catch (Throwable e) {
      rewriter.fail(name, e);
      return null;
    }
  }
}
