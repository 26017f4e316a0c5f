package org.buftrail.agent.weave.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.example.woven.Leases;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.agent.weave.Ledger;
import org.buftrail.agent.weave.Selection;
import org.buftrail.agent.weave.StandIns;
import org.buftrail.agent.weave.Weaver;
import org.buftrail.agent.weave.WeavingLoader;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.buftrail.flow.woven.Resources;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The calls about resources, where rules name what opens and closes them. */
final class ResourceVisitorTest {
  private static final String LEASE = "com/example/woven/Leases$Lease";
  private static final String POOL = "com/example/woven/Leases$Pool";
  private static final int OPENED = 5;
  private static final int POOLED = 6;

  private final List<String> log = new ArrayList<>();

  /** By a rule with members of the resource itself, and by one with members of a pool. */
  private WeavingLoader loader() {
    return loader(rules());
  }

  private WeavingLoader loader(List<ResourceRule> rules) {
    ClassPattern nothing = ClassPattern.NONE;
    Weaver weaver = new Weaver(new Netty4(), log::add);
    weaver.inherited().lookAtTypes(rules);
    weaver.weave(new Selection(nothing, nothing, nothing, rules));
    return new WeavingLoader(weaver).give(Resources.class.getName(), StandIns.of(Resources.class));
  }

  private static List<ResourceRule> rules() {
    ResourceRule own =
        new ResourceRule(
            OPENED,
            LEASE,
            List.of(member(LEASE, "<init>", "JLjava/lang/String;"), member(LEASE, "begin", "J")),
            List.of(new ResourceRule.Member(LEASE, "close", null)));
    ResourceRule pooled =
        new ResourceRule(
            POOLED,
            LEASE,
            List.of(new ResourceRule.Member(POOL, "take", null)),
            List.of(new ResourceRule.Member(POOL, "give", null)));
    return List.of(own, pooled);
  }

  private static ResourceRule.Member member(String owner, String name, String parameters) {
    return new ResourceRule.Member(owner, name, parameters);
  }

  @BeforeEach
  void open() {
    Ledger.open(0);
  }

  static Stream<Arguments> uses() {
    return Stream.of(
        arguments("construct", List.of("constructs ", "Resources.opened Lease#0 5")),
        arguments("begin", List.of("begins ", "Resources.opened Lease#0 5")),
        arguments(
            "take",
            List.of(
                "takes ",
                "Resources.opened Lease#0 6",
                "takes ",
                "Resources.opened Sublease#1 6",
                "Resources.opened Lease#2 6")),
        arguments(
            "close",
            List.of(
                "Resources.closed Sublease#0 5",
                "closes ",
                "Resources.closed Lease#1 5",
                "Resources.closed Lease#1 5")),
        arguments(
            "give",
            List.of("Resources.closed Sublease#0 6", "gives ", "Resources.closed Lease#1 6")),
        arguments("others", List.of()));
  }

  @ParameterizedTest
  @MethodSource("uses")
  void whatRulesNameIsTold(String method, List<String> told) throws Exception {
    loader().run(Leases.class, method);
    assertThat(Ledger.told()).isEqualTo(told);
    assertThat(log).isEmpty();
  }

  @Test
  void whatCountsItsHoldersIsToldWhenOneHasLetGo() throws Exception {
    List<ResourceRule.Member> close = List.of(member(LEASE, "close", ""));
    List<ResourceRule.Member> open = List.of(member(LEASE, "begin", "J"));
    loader(List.of(new ResourceRule(OPENED, LEASE, open, close, true))).run(Leases.class, "close");
    assertThat(Ledger.told()).isEqualTo(List.of("closes ", "Resources.closed Sublease#0 5"));
    assertThat(log).isEmpty();
  }

  @Test
  void whatIsInheritedIsWovenWhereItStands() throws Exception {
    String below = LEASE.replace("Lease", "Sublease").replace("Subleases", "Leases");
    ResourceRule rule =
        new ResourceRule(
            OPENED,
            below,
            List.of(
                member(POOL, "take", "J"),
                member(POOL, "taek", "J"),
                member("com/example/woven/Absent", "take", "J")),
            List.of(member(below, "close", ""), member(below, "clsoe", "")));
    assertThat(rule.unmatched())
        .isEqualTo(
            "open=com.example.woven.Leases$Pool.take(long),"
                + " open=com.example.woven.Leases$Pool.taek(long),"
                + " open=com.example.woven.Absent.take(long), close=close(), close=clsoe()");
    WeavingLoader loader = loader(List.of(rule));
    loader.run(Leases.class, "close");
    assertThat(Ledger.told()).isEqualTo(List.of("Resources.closed Sublease#0 5", "closes "));
    loader.run(Leases.class, "take");
    assertThat(rule.unmatched())
        .isEqualTo("open=com.example.woven.Leases$Pool.taek(long), close=clsoe()");
    assertThat(log).isEmpty();
  }

  @Test
  void whatABridgeCallsIsWovenBelowIt() throws Exception {
    String holding = Leases.Holding.class.getName().replace('.', '/');
    ResourceRule rule =
        new ResourceRule(
            OPENED,
            holding,
            List.of(member(holding, "<init>", "")),
            List.of(member(holding, "close", "")));
    loader(List.of(rule)).run(Leases.class, "hold");
    assertThat(Ledger.told())
        .isEqualTo(
            List.of("Resources.opened Holding#0 5", "Resources.closed Holding#0 5", "closes "));
    assertThat(rule.unmatched()).isEmpty();
    assertThat(log).isEmpty();
  }

  @Test
  void aDefaultMethodOfAnInterfaceIsWovenWhereItStands() throws Exception {
    String ended = Leases.Ended.class.getName().replace('.', '/');
    ResourceRule rule =
        new ResourceRule(
            OPENED,
            ended,
            List.of(member(ended, "<init>", "")),
            List.of(member(ended, "close", "")));
    WeavingLoader loader = loader(List.of(rule));
    loader.run(Leases.class, "end");
    assertThat(Ledger.told())
        .isEqualTo(
            List.of(
                "Resources.opened Closed#0 5",
                "Resources.closed Closed#0 5",
                "Resources.opened Ended#1 5",
                "Resources.closed Ended#1 5",
                "closes "));
    assertThat(loader.changed)
        .containsExactlyInAnyOrder(
            ended.replace('/', '.'),
            Leases.class.getName() + "$Closing",
            "com.example.woven.Leases$Closed");
    assertThat(rule.unmatched()).isEmpty();
    assertThat(log).isEmpty();
  }

  @Test
  void ofSeveralDefaultMethodsTheOneThatIsInheritedIsWovenToo() throws Exception {
    String ended = Leases.EndedTwice.class.getName().replace('.', '/');
    ResourceRule rule =
        new ResourceRule(
            OPENED,
            ended,
            List.of(member(ended, "<init>", "")),
            List.of(member(ended, "close", "")));
    loader(List.of(rule)).run(Leases.class, "endNearer");
    assertThat(Ledger.told())
        .isEqualTo(
            List.of(
                "Resources.opened EndedTwice#0 5",
                "Resources.closed EndedTwice#0 5",
                "closes nearer "));
    assertThat(log).isEmpty();
  }

  @Test
  void whatUsesTheVariableOfThisAgainStaysAsItIs() {
    String type = "Reusing";
    ClassWriter made = new ClassWriter(0);
    made.visit(Opcodes.V1_5, Opcodes.ACC_PUBLIC, type, null, "java/lang/Object", null);
    for (String method : List.of("open", "close")) {
      MethodVisitor mv = made.visitMethod(Opcodes.ACC_PUBLIC, method, "()I", null, null);
      Label last = new Label();
      Label store = new Label();
      mv.visitCode();
      mv.visitJumpInsn(Opcodes.GOTO, store);
      mv.visitLabel(last);
      mv.visitVarInsn(Opcodes.ILOAD, 0);
      mv.visitInsn(Opcodes.IRETURN);
      mv.visitLabel(store);
      mv.visitInsn(Opcodes.ICONST_0);
      mv.visitVarInsn(Opcodes.ISTORE, 0);
      mv.visitJumpInsn(Opcodes.GOTO, last);
      mv.visitMaxs(1, 1);
      mv.visitEnd();
    }
    made.visitEnd();
    List<ResourceRule.Member> open = List.of(member(type, "open", ""));
    List<ResourceRule.Member> close = List.of(member(type, "close", ""));
    ResourceRule rule = new ResourceRule(OPENED, type, open, close, true);
    Rewriter rewriter = new Rewriter(log::add);
    byte[] file = made.toByteArray();
    ClassHead head = new ClassHead(file);
    assertThat(ResourceVisitor.weave(rewriter, null, null, file, head, List.of(rule))).isNull();
    assertThat(rule.unmatched()).isEqualTo("open=open(), close=close()");
    assertThat(log).isEmpty();
  }

  @Test
  void onlyClassesThatDeclareAMemberAreWoven() throws Exception {
    WeavingLoader loader = loader();
    for (Class<?> each : Leases.class.getDeclaredClasses()) {
      Class.forName(each.getName(), true, loader);
    }
    assertThat(loader.changed)
        .containsExactlyInAnyOrder(
            Leases.Lease.class.getName(),
            Leases.Pool.class.getName(),
            Leases.LeasePool.class.getName());
  }

  @Test
  void loadedClassesThatMayDeclareAMemberAreConcerned() {
    ResourceRule pooled =
        new ResourceRule(
            POOLED,
            LEASE,
            List.of(new ResourceRule.Member(POOL, "take", null)),
            List.of(new ResourceRule.Member(LEASE, "close", null)));
    assertThat(
            Stream.of(Leases.Pool.class, Leases.LeasePool.class, Leases.Sublease.class)
                .allMatch(pooled::concerns))
        .isTrue();
    assertThat(pooled.concerns(Leases.Unlike.class)).isFalse();
  }
}
