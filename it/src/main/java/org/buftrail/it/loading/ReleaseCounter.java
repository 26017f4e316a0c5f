package org.buftrail.it.loading;

import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Another agent, made with Byte Buddy: counts releases of buffers and calls of a program's methods.
 */
public final class ReleaseCounter {
  private static final AtomicLong RELEASES = new AtomicLong();
  private static final AtomicLong PASSES = new AtomicLong();

  private ReleaseCounter() {}

  /** Called by the JVM. */
  public static void premain(String argument, Instrumentation instrumentation) {
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .type(ElementMatchers.named("io.netty.buffer.AbstractReferenceCountedByteBuf"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(Advice.to(Releases.class).on(ElementMatchers.named("release"))))
        .type(ElementMatchers.named("org.buftrail.it.programs.PassThrough"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(Advice.to(Passes.class).on(ElementMatchers.named("third"))))
        .installOn(instrumentation);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> System.out.print(RELEASES.get() + " releases, " + PASSES.get())));
  }

  /** For the advice. */
  public static void countRelease() {
    RELEASES.incrementAndGet();
  }

  /** For the advice. */
  public static void countPass() {
    PASSES.incrementAndGet();
  }

  /** Inlined into Netty's {@code release()}. */
  public static final class Releases {
    private Releases() {}

    /** On entry. */
    @Advice.OnMethodEnter
    public static void enter() {
      countRelease();
    }
  }

  /** Inlined into the program. */
  public static final class Passes {
    private Passes() {}

    /** On entry. */
    @Advice.OnMethodEnter
    public static void enter() {
      countPass();
    }
  }
}
