package org.buftrail.agent.weave.tests;

import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.function.Consumer;
import org.buftrail.agent.weave.ScopeTransformer;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.flow.control.FlowTracker;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * Has code of tests say which exceptions reach it, for {@link
 * org.buftrail.flow.LeakScope#misuses()}, and when its static initialisers run. Woven as the first
 * scope opens, so a JVM without scopes has it as it was.
 */
public final class TestCodeWeaver extends ScopeTransformer {
  /** Where the major version of a class file is. */
  private static final int MAJOR = 7;

  private final Instrumentation instrumentation;

  /**
   * @param log takes a line if something cannot be woven
   */
  public TestCodeWeaver(Instrumentation instrumentation, Consumer<String> log) {
    super(instrumentation, log);
    this.instrumentation = instrumentation;
  }

  @Override
  protected boolean wants(Class<?> type) {
    return instrumentation.isModifiableClass(type) && TestClasses.mayContain(type);
  }

  @Override
  protected String unwoven(Class<?> type) {
    return "what " + type.getName() + " catches may count as swallowed";
  }

  @Override
  protected byte @Nullable [] weave(
      String name, @Nullable ProtectionDomain domain, byte[] classFile, Rewriter rewriter) {
    if (classFile[MAJOR] < Opcodes.V1_7 || !TestClasses.contain(name, domain, classFile)) {
      return null;
    }
    String className = Names.binary(name);
    FlowTracker.INSTANCE.addTestClass(className);
    return rewriter.rewrite(
        classFile, next -> new InitializerVisitor(new CatchVisitor(next), className));
  }
}
