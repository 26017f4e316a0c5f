package org.buftrail.agent.weave.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.Opcodes;

final class CountCallTest {
  private static final String BUFFER = "io/netty/buffer/ByteBuf";

  @ParameterizedTest
  @CsvSource({
    "release, ()Z, true, false",
    "release, (I)Z, true, true",
    "retain, ()Lio/netty/buffer/ByteBuf;, false, false",
    "retain, (I)Lio/netty/buffer/ByteBuf;, false, true",
    "readRetainedSlice, (I)Lio/netty/buffer/ByteBuf;, false, true",
  })
  void ofABuffer(String method, String descriptor, boolean releases, boolean byNumber) {
    CountCall call = CountCall.of(Opcodes.INVOKEVIRTUAL, BUFFER, method, descriptor);
    assertThat(call).isNotNull();
    assertThat(call.subject).isEqualTo(BUFFER);
    assertThat(call.releases).isEqualTo(releases);
    assertThat(call.byNumber).isEqualTo(byNumber);
  }

  @ParameterizedTest
  @CsvSource({
    "release, (Ljava/lang/Object;)Z, true, false, java/lang/Object",
    "safeRelease, (Ljava/lang/Object;I)V, true, true, java/lang/Object",
    "retain, (Ljava/lang/Object;)Ljava/lang/Object;, false, false, java/lang/Object",
  })
  void byAStaticMethod(
      String method, String descriptor, boolean releases, boolean byNumber, String subject) {
    CountCall call = CountCall.of(Opcodes.INVOKESTATIC, "com/Any", method, descriptor);
    assertThat(call).isNotNull();
    assertThat(call.subject).isEqualTo(subject);
    assertThat(call.releases).isEqualTo(releases);
    assertThat(call.byNumber).isEqualTo(byNumber);
  }

  @ParameterizedTest
  @CsvSource({
    "touch, ()Lio/netty/buffer/ByteBuf;, 182",
    "release, (II)Z, 182",
    "release, (J)Z, 182",
    "release, (Ljava/lang/String;)Z, 182",
    "release, ()Z, 184",
    "release, (I)Z, 184",
    "retain, ()V, 182",
  })
  void othersAreNone(String method, String descriptor, int opcode) {
    assertThat(CountCall.of(opcode, BUFFER, method, descriptor)).isNull();
  }
}
