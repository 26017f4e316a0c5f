package org.buftrail.museum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class LambdasTest {
  @TempDir private Path directory;

  /** A class in which each method makes the lambda that is named after it. */
  private Lambdas lambdas(String... made) throws Exception {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "shop/Orders", null, "java/lang/Object", null);
    for (int i = 0; i + 1 < made.length; i++) {
      MethodVisitor mv = writer.visitMethod(Opcodes.ACC_STATIC, made[i], "()V", null, null);
      Handle factory = new Handle(Opcodes.H_INVOKESTATIC, "a/B", "make", "()V", false);
      Handle body = new Handle(Opcodes.H_INVOKESTATIC, "shop/Orders", made[i + 1], "()V", false);
      mv.visitCode();
      mv.visitInvokeDynamicInsn("run", "()Ljava/lang/Runnable;", factory, body);
      mv.visitInsn(Opcodes.POP);
      mv.visitInsn(Opcodes.RETURN);
      mv.visitMaxs(0, 0);
      mv.visitEnd();
    }
    writer.visitEnd();
    Files.createDirectories(directory.resolve("shop"));
    Files.write(directory.resolve("shop/Orders.class"), writer.toByteArray());
    return new Lambdas(List.of(directory));
  }

  @Test
  void theMethodIsNamedThatMakesIt() throws Exception {
    Lambdas lambdas = lambdas("take", "lambda$take$2", "lambda$null$1", "lambda$null$0");
    String site = "{'class':'shop.Orders','method':'%s'}";
    String report = "{'paths':[{'sites':[" + site + "]}],'x':" + site + "}";
    String read = String.format(report, "lambda$null$0_return", "lambda$null$1").replace('\'', '"');
    assertThat(lambdas.replaced(new ObjectMapper().readTree(read)).toString())
        .isEqualTo(
            String.format(report, "lambda$take$2_return", "lambda$take$2").replace('\'', '"'));
    assertThat(lambdas.replaced("\tshop.Orders.lambda$null$0(Orders.java:7)\n"))
        .isEqualTo("\tshop.Orders.lambda$take$2(Orders.java:7)\n");
  }

  @Test
  void whatNobodyMakesKeepsItsName() throws Exception {
    Lambdas lambdas = lambdas("take", "lambda$null$1");
    String others =
        "\tshop.Orders.lambda$null$7(Orders.java:7)\n\tshop.No.lambda$null$1(No.java)\n";
    assertThat(lambdas.replaced(others)).isEqualTo(others);
  }
}
